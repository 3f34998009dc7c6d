/** Calls of the site's API. Raises `ApiError` with words for the learner. */

import { pageData } from "./page_data";
import type { AnswerJudged, Submission } from "./types";
import { messageOf, word } from "./words";

export class ApiError extends Error {
  constructor(
    message: string,
    /** The HTTP status; 0 when no answer came. */
    readonly status: number,
    readonly code: string,
  ) {
    super(message);
  }
}

function call<Answer>(method: "GET" | "POST", path: string, body?: unknown): Promise<Answer> {
  return request(method, pageData.addresses.api + path, body);
}

async function request<Answer>(
  method: "GET" | "POST",
  address: string,
  body?: unknown,
): Promise<Answer> {
  const headers: Record<string, string> = { Accept: "application/json" };
  if (method === "POST") {
    headers["Content-Type"] = "application/json";
    headers["X-CSRFToken"] =
      document.querySelector<HTMLMetaElement>('meta[name="csrf-token"]')?.content ?? "";
  }
  let response: Response;
  try {
    response = await fetch(address, {
      method,
      headers,
      body: method === "POST" ? JSON.stringify(body ?? {}) : null,
    });
  } catch {
    throw new ApiError(word("server_unreachable"), 0, "unreachable");
  }
  const answer: unknown = await response.json().catch(() => null);
  if (!response.ok) throw refusal(response, answer);
  return answer as Answer;
}

function refusal(response: Response, answer: unknown): ApiError {
  const error = (answer as { error?: { code?: string; message?: string; message_zh?: string } } | null)
    ?.error;
  if (!error?.message) {
    return new ApiError(word("server_refused", { status: response.status }), response.status, "");
  }
  const text = messageOf({ message: error.message, message_zh: error.message_zh ?? null });
  return new ApiError(text, response.status, error.code ?? "");
}

/** The address of a submission's server-sent events. */
export function eventsAddress(id: string): string {
  return `${pageData.addresses.api}/submissions/${id}/events`;
}

export function postSubmission(exercise: string, source: string): Promise<{ id: string }> {
  return call("POST", "/submissions", { exercise, source });
}

export function getSubmission(id: string): Promise<Submission> {
  return call("GET", `/submissions/${id}`);
}

/** The learner's submissions to one exercise, newest first, without their code. */
export async function getSubmissions(exercise: string): Promise<Submission[]> {
  const query = new URLSearchParams({ exercise, limit: "50" });
  const answer = await call<{ submissions: Submission[] }>("GET", `/submissions?${query}`);
  return answer.submissions;
}

/** One more hint; afterwards `getHints` has it, too. */
export async function postHint(exercise: string): Promise<void> {
  await call("POST", `/exercises/${exercise}/hints`);
}

/** All hints that this learner has seen, as sanitised HTML in the page's language. */
export async function getHints(): Promise<string[]> {
  return (await request<{ hints: string[] }>("GET", pageData.addresses.hints)).hints;
}

/** The reference solution's source. `asked` says that the learner has confirmed to see it. */
export async function postSolution(exercise: string, asked: boolean): Promise<string> {
  const body = asked ? { asked } : {};
  return (await call<{ source: string }>("POST", `/exercises/${exercise}/solution`, body)).source;
}

/** What a learner answers to a question: positions of choices, or a text; or that they want to be told. */
export type GivenAnswer = { choices: number[]; text: string } | { asked: true };

/** Answer a question of a chapter's self-test. */
export function postAnswer(
  chapter: string,
  question: string,
  given: GivenAnswer,
): Promise<AnswerJudged> {
  return call("POST", `/chapters/${chapter}/questions/${question}`, given);
}
