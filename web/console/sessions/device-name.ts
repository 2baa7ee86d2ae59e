/** Parts of `User-Agent`, the first that fits counts: browsers name those that they resemble too. */
const BROWSERS: [RegExp, string][] = [
  [/Edg/, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox|FxiOS/, 'Firefox'],
  [/Chrome|CriOS/, 'Chrome'],
  [/Safari\//, 'Safari'],
]
const SYSTEMS: [RegExp, string][] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
]
const CHARS_MAX = 60

/** Names the browser and the system of a `User-Agent`: `Firefox, Windows`. A program's is shown as it is. */
export function deviceName(userAgent: string): string {
  const found = [BROWSERS, SYSTEMS].flatMap((table) => table.find(([part]) => part.test(userAgent))?.[1] ?? [])
  return found.length > 0 ? found.join(', ') : userAgent.slice(0, CHARS_MAX)
}
