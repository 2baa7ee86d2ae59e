import type { Sql } from '../../../platform/db/database.js'
import type { MessageRow } from '../../messages/message-row.js'
import { timezoneOf } from '../../reports/day-of-organization.js'
import type { ContactFacts, ContactReader, FoundConversation } from './contact-reader.js'
import { overviewPage, turnsPage, type Listed, type PageFrame, type Turn } from './export-pages.js'
import { exportWords } from './export-words.js'
import { ExportedFiles } from './exported-files.js'
import { EXPORTED } from './exported-tables.js'
import { jsonList, jsonWithList } from './json-lists.js'
import { ShownMessages, shownConversation } from './shown-messages.js'
import { writeFiles, type FilesOptions, type WrittenAttachment } from './write-files.js'

/** The contents of an export. */
export interface Contents {
  /** Ids of conversations; those that were deleted, of which copies are left, are not among them. */
  conversations: string[]
  conversationCount: number
  messages: number
  notes: string[]
  files: string[]
}

export interface ContentsOptions extends FilesOptions {
  facts: ContactFacts
  sql: Sql
  at: Date
}

/** A conversation that was written, and its place in the overview. */
interface Written extends Listed {
  id: string
  last: number
  isDeleted: boolean
}

/** Writes all that an export has, one file after another, and ends the ZIP. */
export async function writeContents(options: ContentsOptions): Promise<Contents> {
  const { zip, reader, facts, sql, at } = options
  const hasNotes = reader.options.notes
  const timezone = await timezoneOf(sql, facts.org1)
  const frame = frameOf(facts, timezone)
  const files = new ExportedFiles()
  await zip.add('contact.json', whole(facts.shown))
  const conversations: Written[] = []
  for await (const found of reader.conversations())
    conversations.push(await writeConversation(options, frame, files, found))
  await zip.add('deliveries.json', jsonList(deliveriesOf(reader, conversations)))
  await zip.add('opt-outs.json', whole(await reader.optOuts()))
  await zip.add('ratings.json', whole(await reader.ratings()))
  await zip.add('history.json', whole({ changes: await reader.changes(), merges: await reader.merges() }))
  const notes = hasNotes ? await writeNotes(options, frame) : []
  for (const upload of await reader.uploads()) files.of(upload)
  const attachments = await writeFiles(options, files.all())
  const { organization, profile } = facts
  const known = [profile.name, profile.email, profile.telephone].filter((each) => each !== undefined)
  const overview = { organization, timezone, at, known, conversations, files: attachments, hasNotes }
  await zip.add('index.html', overviewPage(frame, overview))
  await zip.add('manifest.json', whole(manifestOf(options, attachments)))
  zip.end()
  return {
    conversations: conversations.filter(({ isDeleted }) => !isDeleted).map(({ id }) => id),
    conversationCount: conversations.length,
    messages: conversations.reduce((sum, { messages }) => sum + messages, 0),
    notes,
    files: attachments.map(({ file }) => file.id),
  }
}

function frameOf({ language }: ContactFacts, timeZone: string): PageFrame {
  const words = exportWords(language)
  const format = new Intl.DateTimeFormat(words.language === 'en' ? 'en-GB' : words.language, {
    ...{ dateStyle: 'medium', timeStyle: 'short', timeZone },
  })
  return { words, format: (time) => format.format(time) }
}

/** Reads the messages twice, up to the same one: the page is written while nothing of it is kept in memory. */
async function writeConversation(
  { zip, reader, facts, at }: ContentsOptions,
  frame: PageFrame,
  files: ExportedFiles,
  found: FoundConversation,
): Promise<Written> {
  const { id, state, last } = found
  const said = new ShownMessages({
    ...{ system: reader.options.system(), files, words: frame.words, hasNotes: reader.options.notes },
    consumer: facts.profile.name ?? frame.words.you,
    organization: facts.organization,
    alias: state?.meta._agent,
  })
  let [messages, begun] = [0, state?.createdAt ?? null]
  async function* counted(): AsyncGenerator<MessageRow> {
    for await (const row of reader.messages(found)) {
      messages += 1
      begun ??= row.createdAt
      yield row
    }
  }
  const path = `conversations/${id}`
  await zip.add(`${path}.json`, jsonWithList(shownConversation(found), 'messages', said.asJson(counted())))
  const listed = { path: `${path}.html`, at: begun ?? at, by: state?.touchpoint ?? null, messages }
  const turns = said.asTurns(reader.messages(found))
  await zip.add(listed.path, turnsPage(frame, { title: frame.format(listed.at), up: '../', turns }))
  return { ...listed, id, last, isDeleted: state === null }
}

async function* deliveriesOf(reader: ContactReader, conversations: readonly Written[]): AsyncGenerator<object> {
  for (const conversation of conversations) yield* reader.deliveries(conversation)
}

/** @returns the ids of the notes */
async function writeNotes({ zip, reader }: ContentsOptions, frame: PageFrame): Promise<string[]> {
  const ids: string[] = []
  await zip.add('notes.json', jsonList(reader.notes()))
  async function* turns(): AsyncGenerator<Turn> {
    for await (const { id, createdAt, authorName, text } of reader.notes()) {
      ids.push(id)
      yield { at: createdAt, author: authorName, text, file: null, isOwn: false, isInternal: true }
    }
  }
  await zip.add('notes.html', turnsPage(frame, { title: frame.words.notes, up: '', turns: turns() }))
  return ids
}

/** Lists the files with what proves that they are as they were written, and says what is left out. */
function manifestOf({ zip, reader, facts, at }: ContentsOptions, attachments: readonly WrittenAttachment[]): object {
  const { contact, notes: hasNotes } = reader.options
  const leftOut = Object.entries(EXPORTED).flatMap(([table, place]) => ('not' in place ? [[table, place.not]] : []))
  return {
    madeAt: at,
    organization: facts.organization,
    contact,
    hasNotes,
    files: zip.files,
    attachments: attachments.map(({ file: { id, path, fileName, fileType, sha256 }, isMissing, isWhole }) => ({
      ...{ id, path, fileName, fileType, sha256, isMissing, isWhole },
    })),
    leftOut: { ...Object.fromEntries(leftOut), ...(!hasNotes && { contact_note: 'Only in an export with notes.' }) },
  }
}

const whole = (value: unknown): string[] => [`${JSON.stringify(value, null, 2)}\n`]
