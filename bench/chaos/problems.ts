/** What a run has found, line by line, and what of it is not as promised. */
export interface Judgement {
  lines: string[]
  problems: string[]
}

export interface ChaosRun {
  /** What happens is the same for the same seed; when exactly the processes meet it is not. */
  seed: number
  print: (line: string) => void
}

/** A line for each count that is not zero, with what it counts. */
export function broken(counts: readonly (readonly [count: number, what: string])[]): string[] {
  return counts.flatMap(([count, what]) => (count === 0 ? [] : [`${count} ${what}`]))
}
