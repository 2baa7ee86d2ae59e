import { signal, type ReadonlySignal, type Signal } from '@preact/signals'
import { MacrosDocument, type MacrosQuery } from '../../generated/macros.js'
import type { ConsoleStore } from '../store/console-store.js'

export type Macro = MacrosQuery['macros']['edges'][number]['node']
export type Step = Macro['steps'][number]

const KNOWN = new WeakMap<ConsoleStore, Signal<readonly Macro[] | null>>()

/** The macros in use that the agent has, by name; null until they have come, which the first question begins. */
export function macrosOf(store: ConsoleStore): ReadonlySignal<readonly Macro[] | null> {
  const known = KNOWN.get(store)
  if (known) return known
  const macros = signal<readonly Macro[] | null>(null)
  KNOWN.set(store, macros)
  void readMacros(store).catch(() => undefined)
  return macros
}

/** Reads them anew: they are told to nobody live. @throws without a connection; what was read before stays */
export async function readMacros(store: ConsoleStore): Promise<void> {
  const all: Macro[] = []
  for (let after: string | null = null; ;) {
    const { macros }: MacrosQuery = await store.request(MacrosDocument, { after })
    all.push(...macros.edges.map(({ node }) => node))
    if (!macros.pageInfo.hasNextPage) break
    after = macros.pageInfo.endCursor
  }
  const known = KNOWN.get(store)
  if (known) known.value = all
  else KNOWN.set(store, signal(all))
}

/** Those for conversations of an organization: of itself, and of the agent's. */
export function macrosFor(store: ConsoleStore, organization: string): readonly Macro[] {
  const own = store.organization.me.value?.organizationId
  return (macrosOf(store).value ?? []).filter(({ organizationId }) => [own, organization].includes(organizationId))
}

/** Tells whether what was typed is in the name or begins the shortcut. */
export function fitsMacro({ name, shortcut }: Macro, typed: string): boolean {
  const text = typed.trim().toLocaleLowerCase()
  return name.toLocaleLowerCase().includes(text) || (shortcut?.startsWith(text) ?? false)
}
