import { createHash } from 'node:crypto'

/** One statement of the interface specification: a row of a table, an item of a list, or a paragraph. */
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
  const add = (line: number, text: string): void => {
    units.push({ section, line, text, mark: markOf(section, text) })
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

/** Names a statement by its words: when they change, its rows are to be read again. */
function markOf(section: string, text: string): string {
  return createHash('sha256').update(`${section} ${text.trim()}`).digest('hex').slice(0, 8)
}
