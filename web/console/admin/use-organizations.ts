import { AdminOrganizationsDocument, type AdminOrganizationsQuery } from '../../generated/admin.js'
import { useStore } from '../store/console-store.js'
import type { FieldSpec } from './form-dialog.js'
import { usePages, type Pages } from './use-pages.js'
import { words } from './words.js'

export type Organization = AdminOrganizationsQuery['organizations']['edges'][number]['node']

export interface Organizations extends Pages<AdminOrganizationsQuery, Organization> {
  nameOf(id: string): string
  options: (readonly [id: string, name: string])[]
  /** Organization to which a new record belongs. */
  field: FieldSpec
}

/** The organizations that the administrator sees, by which records of them are named and made. */
export function useOrganizations(): Organizations {
  const store = useStore()
  const pages = usePages(AdminOrganizationsDocument, ({ organizations }) => organizations, 'organization')
  const options = pages.rows.map(({ id, displayName, name }) => [id, displayName ?? name] as const)
  const names = new Map(options)
  const field: FieldSpec = {
    name: 'organization',
    label: words.organization,
    kind: 'select',
    value: store.organization.me.value?.organizationId ?? options[0]?.[0],
    options,
  }
  return { ...pages, nameOf: (id) => names.get(id) ?? '', options, field }
}
