/** The exercise page: puts the workbench into the places that the server has left for it. */

import { render } from "preact";

import { bindGate } from "./gate";
import { bindShortcuts } from "./shortcuts";
import { NoticeBar } from "./views/notice";
import { Panel } from "./views/panel";
import { PythonProblem } from "./views/python_problem";
import { Toolbar } from "./views/toolbar";
import { Workbench } from "./workbench";

function place(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no #${id}`);
  return element;
}

const bench = new Workbench(place("editor"));
render(<Toolbar bench={bench} />, place("toolbar"));
render(<PythonProblem python={bench.runs.python} />, place("python-problem"));
render(<Panel bench={bench} />, place("panel"));
render(<NoticeBar desk={bench.desk} />, place("notice"));
bindShortcuts((command) => bench.act(command));
bindGate();
