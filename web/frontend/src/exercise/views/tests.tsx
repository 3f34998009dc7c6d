/** Tests with their results: what came, what was expected, and where. */

import { pageData } from "../../page_data";
import type { Outcome, SourceLine, TestHead, TestResult } from "../../types";
import { durationText, inLanguage, messageOf, word } from "../../words";
import type { Workbench } from "../workbench";
import { Code } from "./code";
import { Sentence } from "./sentence";

/** From so many passed tests on they are folded together, below those that failed. */
const MANY_PASSED = 8;

export function TestList(props: {
  results: TestResult[];
  pending: TestHead[];
  isOver: boolean;
  bench: Workbench;
}) {
  const { results, pending, isOver, bench } = props;
  const row = (result: TestResult) => <Test key={result.name} result={result} bench={bench} />;
  const passed = results.filter(({ outcome }) => outcome === "passed");
  const failed = results.filter(({ outcome }) => outcome !== "passed");
  if (isOver && failed.length > 0 && passed.length >= MANY_PASSED) {
    return (
      <>
        <ol class="tests">{failed.map(row)}</ol>
        <details class="passed-tests">
          <summary>{word("passed_tests", { count: passed.length })}</summary>
          <ol class="tests">{passed.map(row)}</ol>
        </details>
      </>
    );
  }
  return (
    <ol class="tests">
      {results.map(row)}
      {isOver || pending.map((test) => <PendingTest key={test.name} test={test} />)}
    </ol>
  );
}

function PendingTest({ test }: { test: TestHead }) {
  return (
    <li class="test pending">
      <span class="test-head">
        <i class="dot" aria-hidden="true" />
        <span class="test-title">
          <Sentence text={inLanguage(test.title)} />
        </span>
      </span>
    </li>
  );
}

const OUTCOME_SIGNS: Partial<Record<Outcome, string>> = { passed: "✓", wrong: "✗" };

function Test({ result, bench }: { result: TestResult; bench: Workbench }) {
  const failed = result.outcome !== "passed";
  const [, parameters] = /\[(.*)\]$/.exec(result.name) ?? [];
  return (
    <li class="test" data-outcome={result.outcome} data-test={result.name}>
      <details open={failed}>
        <summary class="test-head">
          <span class="sign" aria-hidden="true">
            {OUTCOME_SIGNS[result.outcome] ?? "!"}
          </span>
          <span class="test-title">
            <Sentence text={inLanguage(result.title)} />
            {parameters && <code class="case">{parameters}</code>}
          </span>
          {result.visibility === "hidden" && <span class="badge">{word("hidden_test")}</span>}
          <span class="outcome">{word(`outcome_${result.outcome}`)}</span>
        </summary>
        <div class="test-body">
          {messageOf(result) && (
            <p class="message">
              <Sentence text={messageOf(result)} />
            </p>
          )}
          {result.line && <LineLink line={result.line} bench={bench} />}
          <Comparison result={result} />
          {result.output && <Output text={result.output} dropped={0} />}
          {result.test_code && (
            <details class="test-code">
              <summary>{word("test_code")}</summary>
              <Code source={result.test_code} label={word("test_code")} />
            </details>
          )}
          {!failed && !result.test_code && <p class="muted">{durationText(result.duration_ms)}</p>}
        </div>
      </details>
    </li>
  );
}

function Comparison({ result }: { result: TestResult }) {
  const rows = [
    ["expected", result.expected],
    ["actual", result.actual],
    ["diff", result.diff],
  ] as const;
  if (rows.every(([, value]) => value === null)) return null;
  return (
    <dl class="comparison">
      {rows.map(([name, value]) =>
        value === null ? null : (
          <div key={name} data-part={name}>
            <dt>{word(name)}</dt>
            <dd>
              <pre tabIndex={0}>{value}</pre>
            </dd>
          </div>
        ),
      )}
    </dl>
  );
}

export function LineLink({ line, bench }: { line: SourceLine; bench: Workbench }) {
  return (
    <p class="line-link">
      <button type="button" class="link" onClick={() => bench.goToLine(line.number)}>
        {word("at_line", { line: line.number })}
      </button>
      <code>{line.text.trim()}</code>
    </p>
  );
}

export function Output({ text, dropped }: { text: string; dropped: number }) {
  return (
    <div class="output">
      <h3>{word("output")}</h3>
      {dropped > 0 && (
        <p class="muted">
          {word("output_dropped", { count: dropped.toLocaleString(pageData.language) })}
        </p>
      )}
      <pre tabIndex={0} role="region" aria-label={word("output")}>
        {text}
      </pre>
    </div>
  );
}
