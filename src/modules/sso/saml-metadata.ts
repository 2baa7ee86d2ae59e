import { parseStringPromise, processors } from 'xml2js'
import { BadUserInput, quoteValue } from '../../platform/errors.js'
import { isAbsent, parseText } from '../../platform/input.js'
import type { JsonObject } from '../../platform/json.js'
import { OutboundFailure, type OutboundHttp } from '../../platform/outbound/outbound-http.js'
import { parseProviderUrl } from './saml-params.js'

/** Those of a federation have megabytes, and many providers: they are not imported. */
const BYTES_MAX = 256 * 1024
const TIMEOUT_MS = 8_000
const REDIRECT = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect'
const PROTOCOL = 'urn:oasis:names:tc:SAML:2.0:protocol'

/**
 * Reads what a provider's metadata say of it, from the text or from the address that a write gives, in place of its entity id,
 * address and certificates. @returns the params without the metadata @throws BadUserInput
 */
export async function importMetadata(
  { http, allowPrivate }: { http: Pick<OutboundHttp, 'request'>; allowPrivate: boolean },
  { metadata, metadataUrl, ...given }: JsonObject,
): Promise<JsonObject> {
  if (isAbsent(metadata) && isAbsent(metadataUrl)) return given
  const field = isAbsent(metadata) ? 'params.metadataUrl' : 'params.metadata'
  if (!isAbsent(metadata) && !isAbsent(metadataUrl))
    throw new BadUserInput('params.metadataUrl', 'params.metadataUrl and params.metadata cannot both be given')
  for (const key of ['issuer', 'signOnUrl', 'certificates']) {
    if (!isAbsent(given[key]))
      throw new BadUserInput(`params.${key}`, `params.${key} is in the metadata: give one of both`)
  }
  const xml = isAbsent(metadata)
    ? await fetchMetadata(http, parseProviderUrl(metadataUrl, field, allowPrivate))
    : parseText(metadata, field, { min: 1, maxBytes: BYTES_MAX })
  return { ...given, ...(await readMetadata(xml, field)) }
}

async function fetchMetadata(http: Pick<OutboundHttp, 'request'>, url: string): Promise<string> {
  const field = 'params.metadataUrl'
  const request = { method: 'GET' as const, url, headers: {}, timeoutMs: TIMEOUT_MS, bytesMax: BYTES_MAX }
  const answer = await http.request(request).catch((error: unknown) => {
    if (!(error instanceof OutboundFailure)) throw error
    throw new BadUserInput(field, `${field}: ${error.message}`)
  })
  if (answer.isCut) throw new BadUserInput(field, `${field}: the answer is larger than ${BYTES_MAX / 1_024} KiB`)
  if (answer.status === 200) return answer.body
  throw new BadUserInput(field, `${field}: the answer has status ${answer.status}`)
}

/** Reads the metadata of one provider. @throws BadUserInput */
async function readMetadata(xml: string, field: string): Promise<JsonObject> {
  const refuse = (why: string): BadUserInput => new BadUserInput(field, `${field}: ${why}`)
  if (/<!(?:DOCTYPE|ENTITY)/i.test(xml)) throw refuse('they declare a document type or entities')
  const root = await parseXml(xml)
  if (root === null) throw refuse('they are no XML')
  if (!root.EntityDescriptor) throw refuse('they are not those of one provider (EntityDescriptor)')
  const [entity] = childrenOf(root, 'EntityDescriptor')
  const roles = childrenOf(entity, 'IDPSSODescriptor')
  const role = roles.find((each) => attributeOf(each, 'protocolSupportEnumeration')?.split(/\s+/).includes(PROTOCOL))
  if (!role) throw refuse('they describe no identity provider of SAML 2.0 (IDPSSODescriptor)')
  const service = childrenOf(role, 'SingleSignOnService').find((each) => attributeOf(each, 'Binding') === REDIRECT)
  if (!service) throw refuse(`they have no SingleSignOnService of ${quoteValue(REDIRECT)}`)
  const certificates = childrenOf(role, 'KeyDescriptor')
    .filter((each) => (attributeOf(each, 'use') ?? 'signing') === 'signing')
    .flatMap((each) => childrenOf(each, 'KeyInfo'))
    .flatMap((each) => childrenOf(each, 'X509Data'))
    .flatMap((each) => childrenOf(each, 'X509Certificate'))
    .map((each) => textIn(each) ?? '')
  return {
    issuer: attributeOf(entity, 'entityID') ?? '',
    signOnUrl: attributeOf(service, 'Location') ?? '',
    certificates,
  }
}

/** An element as xml2js reads it, by names without prefixes. */
export type XmlNode = Record<string, unknown>

const XML = { explicitCharkey: true, tagNameProcessors: [processors.stripPrefix] }

/** Returns the document; null for what is no XML. */
async function parseXml(xml: string): Promise<XmlNode | null> {
  try {
    const root = (await parseStringPromise(xml, XML)) as XmlNode | null
    // The root is no list, as children are.
    return root && Object.fromEntries(Object.entries(root).map(([name, node]) => [name, [node]]))
  } catch {
    return null
  }
}

/** The elements of a name within an element. */
export function childrenOf(node: unknown, name: string): XmlNode[] {
  const found = typeof node === 'object' && node !== null && Object.hasOwn(node, name) ? (node as XmlNode)[name] : []
  return (Array.isArray(found) ? found : []).map((each: unknown) =>
    typeof each === 'object' && each !== null ? (each as XmlNode) : { _: each },
  )
}

export function attributeOf(node: unknown, name: string): string | null {
  const all = typeof node === 'object' && node !== null ? (node as XmlNode).$ : undefined
  if (typeof all !== 'object' || all === null || !Object.hasOwn(all, name)) return null
  const value = (all as XmlNode)[name]
  return typeof value === 'string' ? value : null
}

export function textIn(node: XmlNode | undefined): string | null {
  return typeof node?._ === 'string' ? node._.trim() : null
}
