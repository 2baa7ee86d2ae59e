import { useState } from 'preact/hooks'
import {
  CreateProviderDocument,
  DeleteProviderDocument,
  ProviderAddressesDocument,
  UpdateProviderDocument,
  type AdminProviderFragment,
} from '../../../generated/admin-sign-in.js'
import { ErrorHint } from '../../../shared/ui/error-hint.js'
import { Icon } from '../../../shared/ui/icon.js'
import { useStore } from '../../store/console-store.js'
import { FormDialog, linesOf, type FieldSpec, type Values } from '../form-dialog.js'
import { useQuery } from '../use-query.js'
import { words as admin } from '../words.js'
import { CopyLine } from './copy-line.js'
import { accountsIn, CHECKS, isGiven, linesIn } from './account-fields.js'
import { Provisioning } from './provisioning.js'
import { rowOf, RoleMap, type MapRow } from './role-map.js'
import { samlFields, samlParamsIn } from './saml-fields.js'
import { words } from './words.js'

/** Stands for a secret that is stored: reads return it, and a write with it keeps the secret. */
const MASK = '********'

interface NewProviderProps {
  organization: FieldSpec
  made(provider: AdminProviderFragment): void
  close(): void
  refresh(): void
}

/** Adds a provider by its address alone, or of SAML by its name: the addresses for its registration come with it. */
export function NewProvider({ organization, made, close, refresh }: NewProviderProps) {
  const store = useStore()
  const save = async (values: Values): Promise<void> => {
    const { createService } = await store.request(CreateProviderDocument, {
      input: {
        type: values.type as string,
        name: (values.name as string).trim(),
        organization: (values.organization as string) || null,
        params: values.type === 'saml' ? {} : { issuer: (values.issuer as string).trim() },
      },
    })
    refresh()
    made(createService)
  }
  return (
    <FormDialog
      title={words.addTitle}
      close={close}
      save={save}
      fields={[
        { name: 'name', label: admin.name, help: words.nameHelp, isRequired: true },
        {
          name: 'type',
          label: words.type,
          kind: 'select',
          value: 'oidc',
          options: Object.entries(words.types),
          help: words.typeHelp,
        },
        { name: 'issuer', label: words.issuer, help: words.issuerHelp },
        organization,
      ]}
    />
  )
}

interface ProviderDialogProps {
  provider: AdminProviderFragment
  close(): void
  refresh(): void
}

/** Changes a provider: its registration, and who gets which account by it. */
export function ProviderDialog({ provider, close, refresh }: ProviderDialogProps) {
  const store = useStore()
  const { id, name, type, params, version, status } = provider
  const [rows, setRows] = useState<readonly MapRow[]>(() => ((params.roleMap ?? []) as []).map(rowOf))
  const save = async (values: Values): Promise<void> => {
    const patch = {
      name: (values.name as string).trim(),
      params: type === 'saml' ? samlParamsIn(params, values, rows) : paramsIn(params, values, rows),
      ...(values.status !== status && { status: values.status as 'ACTIVE' | 'INACTIVE' }),
      ifVersion: version,
    }
    await store.request(UpdateProviderDocument, { id, patch })
    refresh()
  }
  const remove = async (): Promise<void> => {
    await store.request(DeleteProviderDocument, { id })
    refresh()
  }
  const shown = name ?? String(params.issuer ?? '')
  return (
    <FormDialog
      title={shown}
      record={id}
      close={close}
      save={save}
      remove={{ ask: admin.removeAsk(shown), run: remove }}
      fields={fieldsOf(provider)}
      before={
        <>
          <Addresses service={id} />
          <Provisioning service={id} />
        </>
      }
    >
      <RoleMap rows={rows} set={setRows} />
    </FormDialog>
  )
}

function fieldsOf(provider: AdminProviderFragment): FieldSpec[] {
  const { name, type, params, status } = provider
  const textOf = (key: string): string => String(params[key] ?? '')
  return [
    { name: 'name', label: admin.name, value: name ?? '', help: words.nameHelp, isRequired: true },
    ...(type === 'saml' ? samlFields(params) : oidcFields(params)),
    {
      name: 'domains',
      label: words.domainsOf,
      kind: 'lines',
      value: linesIn(params, 'domains'),
      help: words.domainsOfHelp,
    },
    {
      name: 'accounts',
      label: words.accounts,
      kind: 'checks',
      value: CHECKS.filter((key) => params[key] === true),
      options: CHECKS.filter((key) => key !== 'emailVerified' || type === 'saml').map((key) => [key, words[key]]),
    },
    {
      name: 'defaultRole',
      label: words.defaultRole,
      kind: 'select',
      value: textOf('defaultRole'),
      options: [['', words.noRole], ...Object.entries(words.roles)],
    },
    {
      name: 'maxSessionHours',
      label: words.hours,
      value: textOf('maxSessionHours'),
      help: type === 'saml' ? words.hoursSamlHelp : words.hoursHelp,
    },
    {
      name: 'status',
      label: words.state,
      kind: 'select',
      value: status,
      options: Object.entries(words.statuses),
    },
  ]
}

function oidcFields(params: Record<string, unknown>): FieldSpec[] {
  const textOf = (key: string): string => String(params[key] ?? '')
  return [
    { name: 'issuer', label: words.issuer, value: textOf('issuer'), isRequired: true },
    { name: 'clientId', label: words.clientId, value: textOf('clientId'), help: words.clientIdHelp },
    {
      name: 'clientSecret',
      label: words.clientSecret,
      kind: 'password',
      help: params.clientSecret === undefined ? words.secretNone : words.secretKept,
    },
    { name: 'scopes', label: words.scopes, kind: 'lines', value: linesIn(params, 'scopes'), help: words.scopesHelp },
  ]
}

/** The params to store: what the dialog shows, and the rest as it is. What is empty is left out. */
function paramsIn(before: Record<string, unknown>, values: Values, rows: readonly MapRow[]): Record<string, unknown> {
  const secret = values.clientSecret as string
  const next: Record<string, unknown> = {
    ...before,
    issuer: (values.issuer as string).trim(),
    clientId: (values.clientId as string).trim(),
    clientSecret: secret === '' ? (before.clientSecret === undefined ? '' : MASK) : secret,
    scopes: linesOf(values.scopes),
    ...accountsIn(values, rows),
  }
  return Object.fromEntries(
    // Whether it names itself in its answers is asked of another issuer anew.
    Object.entries(next).filter(([key, value]) =>
      key === 'ownReturn' ? next.issuer === before.issuer : isGiven(value),
    ),
  )
}

/** The addresses to register at the provider. */
function Addresses({ service }: { service: string }) {
  const { data, error } = useQuery(ProviderAddressesDocument, { service })
  const addresses = data?.signInAddresses
  return (
    <section class="box" aria-label={words.register} aria-busy={data === null && !error}>
      <header>
        <Icon name="link" />
        <h3>{words.register}</h3>
      </header>
      <ErrorHint text={error?.message} />
      {addresses && (
        <>
          {addresses.metadata !== null && <CopyLine label={words.ownEntity} text={addresses.metadata} />}
          <CopyLine label={addresses.metadata === null ? words.redirect : words.consumer} text={addresses.redirect} />
          {addresses.logout !== null && <CopyLine label={words.logout} text={addresses.logout} />}
          <CopyLine label={words.start} text={addresses.start} />
        </>
      )}
    </section>
  )
}
