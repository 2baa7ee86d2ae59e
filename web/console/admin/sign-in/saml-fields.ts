import type { FieldSpec, Values } from '../form-dialog.js'
import { accountsIn, isGiven, linesIn } from './account-fields.js'
import type { MapRow } from './role-map.js'
import { words } from './words.js'

const ATTRIBUTES = ['emailAttribute', 'nameAttribute', 'groupsAttribute'] as const

/** The fields of a provider of SAML: whom to believe, and what its attributes mean. */
export function samlFields(params: Record<string, unknown>): FieldSpec[] {
  const textOf = (key: string): string => String(params[key] ?? '')
  return [
    { name: 'metadata', label: words.metadata, kind: 'lines', help: words.metadataHelp },
    { name: 'issuer', label: words.entity, value: textOf('issuer') },
    { name: 'signOnUrl', label: words.signOnUrl, value: textOf('signOnUrl') },
    {
      name: 'certificates',
      label: words.certificates,
      kind: 'lines',
      value: linesIn(params, 'certificates'),
      help: words.certificatesHelp,
    },
    ...ATTRIBUTES.map((key) => ({
      name: key,
      label: words[key],
      value: textOf(key),
      help: words.attributeHelp,
    })),
  ]
}

/** The params to store. Metadata that are pasted, or their address, say the rest of the provider. */
export function samlParamsIn(
  before: Record<string, unknown>,
  values: Values,
  rows: readonly MapRow[],
): Record<string, unknown> {
  const metadata = (values.metadata as string).trim()
  const text = (key: string): string => (values[key] as string).trim()
  const provider =
    metadata === ''
      ? { issuer: text('issuer'), signOnUrl: text('signOnUrl'), certificates: certificatesIn(text('certificates')) }
      : { issuer: null, signOnUrl: null, certificates: null, [metadataKey(metadata)]: metadata }
  const next = {
    ...before,
    ...provider,
    ...Object.fromEntries(ATTRIBUTES.map((key) => [key, text(key)])),
    ...accountsIn(values, rows),
  }
  return Object.fromEntries(Object.entries(next).filter(([, value]) => isGiven(value)))
}

const metadataKey = (text: string): string => (/^https?:\/\/\S+$/.test(text) ? 'metadataUrl' : 'metadata')

/** Certificates that stand one below the other, in PEM; what is none is for the server to refuse. */
function certificatesIn(text: string): string[] {
  return text
    .split(/(?<=-----END CERTIFICATE-----)/)
    .map((each) => each.trim())
    .filter((each) => each !== '')
}
