import { useState } from 'preact/hooks'
import { MacrosToEditDocument, type MacrosToEditQueryVariables } from '../../generated/macros.js'
import { useAllPages } from '../lists/use-all-pages.js'
import { useStore } from '../store/console-store.js'
import { MacroForm } from './macro-form.js'
import { readMacros, type Macro } from './macros-of.js'

/** The macros that fit a filter, by pages, with the one that is edited. */
export function useMacroList(filter: MacrosToEditQueryVariables['filter']) {
  const store = useStore()
  const pages = useAllPages(MacrosToEditDocument, { filter: filter ?? null }, ({ macros }) => macros)
  const [edited, edit] = useState<Macro | 'new' | null>(null)
  const changed = (): void => {
    pages.refresh()
    void readMacros(store).catch(() => undefined)
  }
  const form = (more: Pick<Parameters<typeof MacroForm>[0], 'isShared' | 'organizations'>) =>
    edited && (
      <MacroForm
        key={edited === 'new' ? 'new' : edited.id}
        macro={edited === 'new' ? null : edited}
        changed={changed}
        close={() => edit(null)}
        {...more}
      />
    )
  return { ...pages, edit, form }
}
