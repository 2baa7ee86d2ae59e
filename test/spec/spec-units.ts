import { createHash } from 'node:crypto'

/** One statement of the interface specification: a sentence of a paragraph, of an item of a list or of a table's cell. */
export interface SpecUnit {
  section: string
  /** 1-based. */
  line: number
  text: string
  mark: string
}

/** Reads the statements of the specification in their order. What stands above the first section is of section 0. */
export function readSpecUnits(markdown: string): SpecUnit[] {
  const units: SpecUnit[] = []
  const lines = markdown.split('\n')
  let section = '0'
  let paragraph: { line: number; text: string } | null = null
  const add = (line: number, block: string): void => {
    units.push(...statementsOf(block).map((text) => ({ section, line, text, mark: markOf(section, text) })))
  }
  const endParagraph = (): void => {
    if (paragraph) add(paragraph.line, paragraph.text)
    paragraph = null
  }
  lines.forEach((text, index) => {
    const heading = /^#{1,3} (?:(\d[\d.]*))?/.exec(text)
    const isTableHead = text.startsWith('|') && (/^\|[-|]+$/.test(text) || lines[index + 1]?.startsWith('|---'))
    if (heading || isTableHead || text.trim() === '') {
      endParagraph()
      if (heading?.[1]) section = heading[1].replace(/\.$/, '')
    } else if (/^(\||\d+\. |\s*- )/.test(text)) {
      endParagraph()
      add(index + 1, text)
    } else {
      paragraph = paragraph ? { ...paragraph, text: `${paragraph.text} ${text}` } : { line: index + 1, text }
    }
  })
  endParagraph()
  return units
}

/**
 * Splits a block into its statements. Those of a table's row begin with its first cell, which they are about; cells that
 * are no sentences, as a type and a default, are one statement with the first sentence.
 */
function statementsOf(block: string): string[] {
  if (!block.startsWith('|')) return sentencesOf(block.replace(/^\s*(?:\d+\.|-) /, ''))
  const cells = block
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())
  const sentence = cells.findIndex((cell, index) => index > 0 && cell.endsWith('.'))
  const plain = (sentence < 0 ? cells : cells.slice(0, sentence)).join(' | ')
  const [first, ...others] = sentence < 0 ? [] : cells.slice(sentence).flatMap(sentencesOf)
  return [first ? `${plain} | ${first}` : plain, ...others.map((each) => `${cells[0]} | ${each}`)]
}

/** Splits at ends of sentences and at semicolons, but for those in parentheses or code. */
function sentencesOf(text: string): string[] {
  const hidden: string[] = []
  const shown = text.replaceAll(/\([^()]*\)|`[^`]*`/g, (part) => `\u0000${hidden.push(part) - 1}\u0000`)
  const show = (part: string): string => part.replaceAll(/\0(\d+)\0/g, (_, at: string) => show(hidden[Number(at)]!))
  return shown.split(/(?<=[.;?!]) +/).map((part) => show(part).replace(/;$/, ''))
}

/** Names a statement by its words: when they change, its rows are to be read again. */
function markOf(section: string, text: string): string {
  return createHash('sha256').update(`${section} ${text.trim()}`).digest('hex').slice(0, 8)
}
