import { AsnConvert } from '@peculiar/asn1-schema'
import {
  AlgorithmIdentifier,
  AttributeTypeAndValue,
  AttributeValue,
  Certificate,
  Name,
  RelativeDistinguishedName,
  SubjectPublicKeyInfo,
  TBSCertificate,
  Validity,
} from '@peculiar/asn1-x509'
import { generateKeyPairSync, sign as signBytes, X509Certificate } from 'node:crypto'
import { inflateRawSync } from 'node:zlib'
import { SignedXml } from 'xml-crypto'

/** A key, and its certificate in PEM. */
export interface SigningKey {
  key: string
  certificate: string
}

/** Makes a key with a certificate of two days. */
export function makeKey(bits = 2048): SigningKey {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: bits })
  const now = Date.now()
  const tbsCertificate = new TBSCertificate({
    serialNumber: new Uint8Array([1]).buffer,
    signature: SHA256_WITH_RSA,
    issuer: NAME,
    validity: new Validity({ notBefore: new Date(now - DAY_MS), notAfter: new Date(now + DAY_MS) }),
    subject: NAME,
    subjectPublicKeyInfo: AsnConvert.parse(publicKey.export({ type: 'spki', format: 'der' }), SubjectPublicKeyInfo),
  })
  const signature = signBytes('sha256', Buffer.from(AsnConvert.serialize(tbsCertificate)), privateKey)
  const certificate = new Certificate({
    tbsCertificate,
    signatureAlgorithm: SHA256_WITH_RSA,
    signatureValue: new Uint8Array(signature).buffer,
  })
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    certificate: new X509Certificate(Buffer.from(AsnConvert.serialize(certificate))).toString().trim(),
  }
}

const DAY_MS = 86_400_000
const SHA256_WITH_RSA = new AlgorithmIdentifier({ algorithm: '1.2.840.113549.1.1.11', parameters: null })
const COMMON_NAME = new AttributeTypeAndValue({ type: '2.5.4.3', value: new AttributeValue({ utf8String: 'idp' }) })
const NAME = new Name([new RelativeDistinguishedName([COMMON_NAME])])

/** A request that a browser takes to the provider. */
export interface SamlRequest {
  id: string
  consumer: string
  audience: string
  relayState: string
}

/** Reads the address to which the product sends a browser. */
export function requestIn(url: URL): SamlRequest {
  const xml = inflateRawSync(Buffer.from(url.searchParams.get('SAMLRequest')!, 'base64')).toString()
  const attribute = (name: string): string => new RegExp(` ${name}="([^"]*)"`).exec(xml)![1]!
  return {
    id: attribute('ID'),
    consumer: attribute('AssertionConsumerServiceURL'),
    audience: /<saml:Issuer[^>]*>([^<]*)</.exec(xml)![1]!,
    relayState: url.searchParams.get('RelayState')!,
  }
}

/** Parts of a response; what is absent is as it should be. */
export interface Assertion {
  issuer: string
  subject: string
  format?: string
  attributes?: Record<string, string | readonly string[]>
  id?: string
  inResponseTo?: string | null
  recipient?: string | null
  audience?: string | null
  method?: string
  /** Seconds from now. */
  issued?: number
  notBefore?: number
  notOnOrAfter?: number
}

const at = (seconds: number): string => new Date(Date.now() + seconds * 1_000).toISOString()
const named = (name: string, value: string | null | undefined): string => (value == null ? '' : ` ${name}="${value}"`)
let made = 0

/** Writes an unsigned response. */
export function responseTo(request: SamlRequest, assertion: Assertion): string {
  const {
    issuer,
    subject,
    format = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
    attributes = {},
  } = assertion
  const { id = `_assertion${Date.now()}${made++}`, inResponseTo = request.id, recipient = request.consumer } = assertion
  const { audience = request.audience, method = 'bearer' } = assertion
  const { issued = 0, notBefore = -30, notOnOrAfter = 300 } = assertion
  const values = Object.entries(attributes).map(
    ([name, value]) =>
      `<saml:Attribute Name="${name}">${[value]
        .flat()
        .map((each) => `<saml:AttributeValue>${each}</saml:AttributeValue>`)
        .join('')}</saml:Attribute>`,
  )
  return (
    `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_response${made++}" Version="2.0" IssueInstant="${at(issued)}" Destination="${request.consumer}" InResponseTo="${request.id}">` +
    `<saml:Issuer>${issuer}</saml:Issuer><samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status>` +
    `<saml:Assertion ID="${id}" Version="2.0" IssueInstant="${at(issued)}"><saml:Issuer>${issuer}</saml:Issuer>` +
    `<saml:Subject><saml:NameID Format="${format}">${subject}</saml:NameID><saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:${method}">` +
    `<saml:SubjectConfirmationData${named('InResponseTo', inResponseTo)}${named('Recipient', recipient)} NotOnOrAfter="${at(notOnOrAfter)}"/></saml:SubjectConfirmation></saml:Subject>` +
    `<saml:Conditions NotBefore="${at(notBefore)}" NotOnOrAfter="${at(notOnOrAfter)}">${audience === null ? '' : `<saml:AudienceRestriction><saml:Audience>${audience}</saml:Audience></saml:AudienceRestriction>`}</saml:Conditions>` +
    `<saml:AuthnStatement AuthnInstant="${at(issued)}"><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>` +
    `${values.length === 0 ? '' : `<saml:AttributeStatement>${values.join('')}</saml:AttributeStatement>`}</saml:Assertion></samlp:Response>`
  )
}

/** Signs an element of a response. */
export function sign(xml: string, { key, certificate }: SigningKey, element = 'Assertion', hash = 'sha256'): string {
  const isOld = hash === 'sha1'
  const signer = new SignedXml({ privateKey: key, publicCert: certificate })
  signer.signatureAlgorithm = isOld
    ? 'http://www.w3.org/2000/09/xmldsig#rsa-sha1'
    : 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256'
  signer.canonicalizationAlgorithm = 'http://www.w3.org/2001/10/xml-exc-c14n#'
  const xpath = `//*[local-name(.)='${element}']`
  signer.addReference({
    xpath,
    digestAlgorithm: isOld ? 'http://www.w3.org/2000/09/xmldsig#sha1' : 'http://www.w3.org/2001/04/xmlenc#sha256',
    transforms: ['http://www.w3.org/2000/09/xmldsig#enveloped-signature', 'http://www.w3.org/2001/10/xml-exc-c14n#'],
  })
  signer.computeSignature(xml, { location: { reference: `${xpath}/*[local-name(.)='Issuer']`, action: 'after' } })
  return signer.getSignedXml()
}

/** The form that a provider's page has a browser post. */
export const formOf = (xml: string, { relayState }: Pick<SamlRequest, 'relayState'>): URLSearchParams =>
  new URLSearchParams({ SAMLResponse: Buffer.from(xml).toString('base64'), RelayState: relayState })
