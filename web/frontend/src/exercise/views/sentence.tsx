/** A sentence for the learner, in which `code` between backticks is set as code. */

export function Sentence({ text }: { text: string }) {
  // Splitting by a group keeps what it matched: every second part is code.
  const parts = text.split(/`([^`\n]+)`/);
  return <>{parts.map((part, index) => (index % 2 ? <code key={index}>{part}</code> : part))}</>;
}
