import { readFileSync } from 'node:fs'

/** Returns the text of each stage of a Dockerfile by its name; '' is the name of one that has none. */
export function stagesOf(path: string): Map<string, string> {
  const texts = readFileSync(path, 'utf8').split(/^(?=FROM )/m)
  return new Map(texts.slice(1).map((text) => [/^FROM \S+ AS (\S+)/.exec(text)?.[1] ?? '', text]))
}
