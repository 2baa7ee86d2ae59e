import { t } from '../../shared/i18n/messages.js'
import type { Office } from '../office.js'

export interface Suggestion {
  id: string
  icon: string
  label: string
  detail?: string
  /** What takes the place of what was typed. */
  text: string
}

/** What is being typed that something could be suggested for: the last word that begins with one of these. */
export interface Trigger {
  sign: ';' | '/' | '@' | '>'
  from: number
  query: string
}

const MAX = 8
/** Commands of 4.8 that an agent types; the others are buttons or take ids. */
const COMMANDS = [
  'accept',
  'leave',
  'join',
  'follow',
  'unfollow',
  'notify',
  'block',
  'send',
  'set @name',
  'set @category',
  'set @touchpoint',
  'set @language',
]

export function triggerAt(text: string, caret: number): Trigger | null {
  const before = text.slice(0, caret)
  const whole = /^([/>])([^\n]*)$/.exec(before)
  if (whole) return { sign: whole[1] as Trigger['sign'], from: 0, query: whole[2]! }
  const word = /(?:^|\s)([;@])([^\s;@]*)$/.exec(before)
  if (!word) return null
  return { sign: word[1] as Trigger['sign'], from: caret - word[2]!.length - 1, query: word[2]! }
}

/** What placeholders and shortcuts depend on. */
interface Situation {
  givenName: string
  /** Of the conversation. */
  organization: string
}

export function suggestionsFor(
  { sign, query }: Trigger,
  office: Office,
  { givenName, organization }: Situation,
): Suggestion[] {
  const fits = (text: string): boolean => text.toLocaleLowerCase().includes(query.toLocaleLowerCase())
  const me = office.me.value
  switch (sign) {
    case ';':
      return [
        ...shared(office, organization)
          .filter(({ shortcut, text }) => fits(shortcut) || fits(text))
          // Whoever types a shortcut wants that one.
          .toSorted((a, b) => Number(b.shortcut.startsWith(query)) - Number(a.shortcut.startsWith(query)))
          .map(({ id, shortcut, text }) => ({ id: `canned-${id}`, detail: `;${shortcut}`, text })),
        ...(me?.settings.cannedResponses ?? [])
          .filter(fits)
          .map((text, index) => ({ id: `own-${index}`, detail: t().composer.ownCanned, text })),
      ]
        .slice(0, MAX)
        .map(({ text, ...rest }) => ({
          ...rest,
          icon: 'canned',
          label: filled(text, givenName),
          text: filled(text, givenName),
        }))
    case '/':
      return COMMANDS.filter(fits)
        .slice(0, MAX)
        .map((name) => ({
          id: `command-${name}`,
          icon: 'slash',
          label: `/${name}`,
          detail: t().composer.commandHelp[name],
          text: `/${name}${name.startsWith('set') ? ' ' : ''}`,
        }))
    case '@':
      return office.colleagues.value
        .filter(({ displayName }) => fits(displayName))
        .slice(0, MAX)
        .map(({ id, displayName }) => ({
          id: `colleague-${id}`,
          icon: 'at',
          label: displayName,
          text: `@${displayName} `,
        }))
    case '>':
      return (me?.organization?.commands ?? [])
        .filter(fits)
        .slice(0, MAX)
        .map((name) => ({
          id: `bot-${name}`,
          icon: 'bot',
          label: name.startsWith('>') ? name : `>${name}`,
          detail: t().composer.bot,
          text: name.startsWith('>') ? name : `>${name}`,
        }))
  }
}

/** Of the agent's organization and of the conversation's. */
function shared(office: Office, organization: string): ReturnType<Office['canned']['peek']> {
  const own = office.me.value?.organizationId
  return office.canned.value.filter(({ organizationId }) => organizationId === own || organizationId === organization)
}

/** `{{ givenName }}` of the contact (2.3). */
function filled(text: string, givenName: string): string {
  return text.replaceAll(/\{\{\s*givenName\s*\}\}/g, givenName)
}

/** A word of the organization's list (2.4) in what was typed. */
export function stopwordIn(text: string, stopwords: readonly string[]): string | null {
  const folded = text.toLocaleLowerCase()
  return stopwords.find((word) => word !== '' && folded.includes(word.toLocaleLowerCase())) ?? null
}
