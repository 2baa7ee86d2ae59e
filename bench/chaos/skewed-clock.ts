/** Shifts the clock of a process that loads this by CLOCK_SKEW_MS; each SIGUSR2 changes the shift. */
const SOURCE = `
const RealDate = globalThis.Date
const skews = [20000, -300, -20000, 300, 0]
let skew = Number(process.env.CLOCK_SKEW_MS ?? 0)
let next = 0
process.on('SIGUSR2', () => { skew = skews[next++ % skews.length] })
globalThis.Date = class Date extends RealDate {
  constructor(...args) {
    if (args.length === 0) super(RealDate.now() + skew)
    else super(...args)
  }
  static now() {
    return RealDate.now() + skew
  }
}`

/** For a server's environment. */
export function skewedClock(skewMs = 0): Record<string, string> {
  const url = `data:text/javascript,${encodeURIComponent(SOURCE)}`
  return { NODE_OPTIONS: `--import=${url}`, CLOCK_SKEW_MS: String(skewMs) }
}
