/** What can go to another thread and into a report. */
export function plainOptions(options: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const plain = Object.entries(options).filter(
    ([, value]) => value === null || ["string", "number", "boolean"].includes(typeof value),
  );
  return Object.fromEntries(plain);
}
