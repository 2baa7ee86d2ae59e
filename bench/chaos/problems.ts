/** Findings of a run, line by line, and those that are not as promised. */
export interface Judgement {
  lines: string[]
  problems: string[]
}

export interface ChaosRun {
  /** Seed of a run: the same faults happen for the same seed; when exactly the processes meet them is not the same. */
  seed: number
  print: (line: string) => void
}

/** A line for each count that is not zero, with what it counts. */
export function broken(counts: readonly (readonly [count: number, what: string])[]): string[] {
  return counts.flatMap(([count, what]) => (count === 0 ? [] : [`${count} ${what}`]))
}
