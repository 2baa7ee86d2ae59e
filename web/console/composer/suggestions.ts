import { t } from '../../shared/i18n/messages.js'
import type { ConsoleStore } from '../store/console-store.js'
import type { CannedResponse } from '../store/organization.js'
import { words } from '../acts/words.js'
import { fitsMacro, macrosFor } from '../macros/macros-of.js'
import { words as macroWords } from '../macros/words.js'
import { filledIn } from './fill-text.js'
import type { Trigger } from './triggers.js'

export interface Suggestion {
  id: string
  icon: string
  label: string
  detail?: string
  /** Text that takes the place of the trigger. */
  text: string
  /** Id of a macro, which is shown before it runs. */
  macro?: string
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

/** Values that placeholders and shortcuts depend on. */
interface Situation {
  givenName: string
  /** The conversation's. */
  organization: string
}

export function suggestionsFor(
  { sign, query }: Trigger,
  store: ConsoleStore,
  { givenName, organization }: Situation,
): Suggestion[] {
  const fits = (text: string): boolean => text.toLocaleLowerCase().includes(query.toLocaleLowerCase())
  const me = store.organization.me.value
  switch (sign) {
    case ';': {
      const macros = macrosFor(store, organization)
        .filter((macro) => fitsMacro(macro, query))
        .slice(0, MAX / 2)
        .map(({ id, name, shortcut, steps }): Suggestion => {
          const detail = shortcut ? `;${shortcut}` : macroWords.count(steps.length)
          return { id: `macro-${id}`, icon: 'macro', label: name, detail, text: '', macro: id }
        })
      const texts = [
        ...shared(store, organization)
          .filter(({ shortcut, text }) => fits(shortcut) || fits(text))
          // Whoever types a shortcut wants that one.
          .toSorted((a, b) => Number(b.shortcut.startsWith(query)) - Number(a.shortcut.startsWith(query)))
          .map(({ id, shortcut, text }) => ({ id: `canned-${id}`, detail: `;${shortcut}`, text })),
        ...(me?.settings.cannedResponses ?? [])
          .filter(fits)
          .map((text, index) => ({ id: `own-${index}`, detail: t().composer.ownCanned, text })),
      ].map(({ text, ...rest }): Suggestion => {
        const said = filledIn(text, givenName)
        return { ...rest, icon: 'canned', label: said, text: said }
      })
      return [...macros, ...texts].slice(0, MAX)
    }
    case '/':
      return COMMANDS.filter(fits)
        .slice(0, MAX)
        .map((name) => ({
          id: `command-${name}`,
          icon: 'slash',
          label: `/${name}`,
          detail: words.commandHelp[name],
          text: `/${name}${name.startsWith('set') ? ' ' : ''}`,
        }))
    case '@':
      return store.organization.colleagues.value
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

/** Canned responses of the agent's organization and of the conversation's. */
function shared(store: ConsoleStore, organization: string): readonly CannedResponse[] {
  const own = store.organization.me.value?.organizationId
  return store.organization.canned.value.filter(
    ({ organizationId }) => organizationId === own || organizationId === organization,
  )
}
