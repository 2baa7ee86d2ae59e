const isColoured = process.stdout.isTTY && !process.env.NO_COLOR

const paint =
  (code: number) =>
  (text: string): string =>
    isColoured ? `\u001B[${code}m${text}\u001B[0m` : text
const bold = paint(1)
const dim = paint(2)
const green = paint(32)
const cyan = paint(36)

const startedAt = performance.now()

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** The next chapter of the story. */
export function heading(text: string): void {
  print(`\n${bold(text)}`)
}

/** Says what was set up, and how long it took. */
export function done(text: string, ms: number): void {
  print(`  ${green('✓')} ${text.padEnd(81)} ${dim(inMs(ms))}`)
}

/** One line of somebody's screen: seconds since the start, whose, which part of it, what it shows, how long it took. */
export function screen(who: string, part: string, text: string, ms?: number): void {
  const at = `${((performance.now() - startedAt) / 1_000).toFixed(3)} s`
  const took = ms === undefined ? '' : dim(inMs(ms))
  print(`  ${dim(at.padStart(7))}  ${cyan(who.padEnd(4))} ${dim(part.padEnd(8))} ${text.padEnd(61)}${took}`.trimEnd())
}

export function detail(text: string): void {
  print(`  ${text}`)
}

/** Ends the story with what went wrong. */
export function stop(text: string): never {
  process.stderr.write(`${text}\n`)
  process.exit(1)
}

function inMs(ms: number): string {
  return `${Math.round(ms)} ms`.padStart(7)
}
