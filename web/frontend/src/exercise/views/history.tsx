/** Earlier submissions and earlier versions of the draft: look at each, or take it back. */

import { useState } from "preact/hooks";

import { pageData } from "../../page_data";
import type { Submission } from "../../types";
import { timeText, word } from "../../words";
import type { Version } from "../drafts";
import type { Workbench } from "../workbench";
import { Code } from "./code";

type Entry = { when: Date; submission: Submission } | { when: Date; version: Version };

export function HistoryPanel({ bench }: { bench: Workbench }) {
  const submissions = bench.history.submissions.value ?? [];
  const entries: Entry[] = [
    ...submissions.map((submission) => ({ when: new Date(submission.created), submission })),
    ...bench.desk.versions.value.map((version) => ({ when: new Date(version.keptAt), version })),
  ];
  entries.sort((one, other) => other.when.getTime() - one.when.getTime());
  return (
    <div class="history">
      {bench.history.problem.value && <p class="problem">{bench.history.problem.value}</p>}
      {entries.length === 0 && <p class="muted">{word("history_empty")}</p>}
      <ol class="history-list">
        {entries.map((entry) =>
          "submission" in entry ? (
            <SubmissionEntry key={entry.submission.id} submission={entry.submission} bench={bench} />
          ) : (
            <VersionEntry key={entry.version.keptAt} version={entry.version} bench={bench} />
          ),
        )}
      </ol>
    </div>
  );
}

function SubmissionEntry({ submission, bench }: { submission: Submission; bench: Workbench }) {
  const [code, setCode] = useState<string | null>(null);
  const fetched = async () => {
    const source = code ?? (await bench.history.code(submission.id));
    setCode(source);
    return source;
  };
  const { outcome, state } = submission;
  return (
    <li class="entry" data-outcome={outcome ?? ""}>
      <div class="entry-head">
        <i class="dot" data-outcome={outcome ?? ""} aria-hidden="true" />
        <a href={`${pageData.addresses.submissions}${submission.id}`}>
          {word("submission_at", { time: timeText(new Date(submission.created)) })}
        </a>
        <span class="outcome">{word(outcome ? `outcome_${outcome}` : `state_${state}`)}</span>
        {submission.tests > 0 && (
          <span class="muted">
            {word("count_passed", { passed: submission.passed_tests, total: submission.tests })}
          </span>
        )}
      </div>
      <Actions
        shown={code}
        show={() => void fetched()}
        load={async () => {
          const source = await fetched();
          if (source !== null) bench.desk.load(source);
        }}
      />
    </li>
  );
}

function VersionEntry({ version, bench }: { version: Version; bench: Workbench }) {
  const [shown, setShown] = useState(false);
  return (
    <li class="entry">
      <div class="entry-head">
        <i class="dot" aria-hidden="true" />
        <span>{word("version_at", { time: timeText(new Date(version.keptAt)) })}</span>
        <span class="muted">{word(`version_${version.reason}`)}</span>
      </div>
      <Actions
        shown={shown ? version.source : null}
        show={() => setShown(true)}
        load={() => bench.desk.load(version.source)}
      />
    </li>
  );
}

function Actions(props: { shown: string | null; show: () => void; load: () => void | Promise<void> }) {
  const { shown, show, load } = props;
  return (
    <>
      <div class="entry-actions">
        {shown === null && (
          <button type="button" class="link" onClick={show}>
            {word("show_code")}
          </button>
        )}
        <button type="button" class="link" onClick={() => void load()}>
          {word("load_code")}
        </button>
      </div>
      {shown !== null && <Code source={shown} label={word("show_code")} />}
    </>
  );
}
