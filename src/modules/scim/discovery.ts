import type { JsonObject } from '../../platform/json.js'
import { GROUP_SCHEMA, USER_SCHEMA } from './attribute-names.js'
import { COUNT_MAX } from './page-request.js'

/** Says what of SCIM there is (RFC 7643, 5). */
export function serviceProviderConfig(base: string): JsonObject {
  return {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
    patch: { supported: true },
    bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: COUNT_MAX },
    changePassword: { supported: false },
    sort: { supported: false },
    etag: { supported: true },
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'Bearer token',
        description: 'A token of the provider, made by an administrator.',
        specUri: 'https://www.rfc-editor.org/info/rfc6750',
        primary: true,
      },
    ],
    meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
  }
}

/** The types of resources (RFC 7643, 6). */
export function resourceTypes(base: string): JsonObject[] {
  return (
    [
      ['User', '/Users', USER_SCHEMA, 'A person who signs in by the provider.'],
      ['Group', '/Groups', GROUP_SCHEMA, 'People whose role and channels the role map of the provider gives.'],
    ] as const
  ).map(([id, endpoint, schema, description]) => ({
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
    id,
    name: id,
    endpoint,
    description,
    schema,
    meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${id}` },
  }))
}

/** The attributes that are kept (RFC 7643, 7). */
export function schemas(base: string): JsonObject[] {
  return [
    schemaOf(base, USER_SCHEMA, 'User', 'A person.', [
      text('userName', 'The name at the provider.', { required: true, uniqueness: 'server' }),
      text('externalId', "The provider's own id.", { caseExact: true }),
      complex('name', 'The parts of the name.', [
        text('formatted', 'The whole name; counts where there is no other.'),
        text('familyName', 'The family name.'),
        text('givenName', 'The given name.'),
        text('middleName', 'The names between.'),
      ]),
      text('displayName', 'The name as it is shown.'),
      list('emails', 'One is kept: the primary one, by which the person signs in.'),
      list('phoneNumbers', 'One is kept.'),
      attribute('active', 'boolean', 'False ends all access; the history stays.'),
    ]),
    schemaOf(base, GROUP_SCHEMA, 'Group', 'People with the same rights.', [
      text('displayName', 'The name, which the role map may have as a value of the claim groups.', {
        required: true,
        uniqueness: 'server',
      }),
      text('externalId', "The provider's own id, which the role map may have instead.", { caseExact: true }),
      {
        ...complex('members', 'The people.', [
          text('value', 'Id of a user.', { mutability: 'immutable', caseExact: true }),
          text('display', 'The userName.', { mutability: 'readOnly' }),
          text('type', 'User.', { mutability: 'immutable' }),
        ]),
        multiValued: true,
      },
    ]),
  ]
}

function schemaOf(base: string, id: string, name: string, description: string, attributes: JsonObject[]): JsonObject {
  return {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
    id,
    name,
    description,
    attributes,
    meta: { resourceType: 'Schema', location: `${base}/Schemas/${id}` },
  }
}

function attribute(name: string, type: string, description: string, more: JsonObject = {}): JsonObject {
  const usual = { multiValued: false, required: false, mutability: 'readWrite', returned: 'default' }
  return { name, type, description, ...usual, ...more }
}

function text(name: string, description: string, more: JsonObject = {}): JsonObject {
  return attribute(name, 'string', description, { caseExact: false, uniqueness: 'none', ...more })
}

function complex(name: string, description: string, subAttributes: JsonObject[]): JsonObject {
  return attribute(name, 'complex', description, { subAttributes })
}

function list(name: string, description: string): JsonObject {
  return {
    ...complex(name, description, [
      text('value', 'The address or the number.'),
      text('type', 'work.'),
      attribute('primary', 'boolean', 'True of the one that counts.'),
    ]),
    multiValued: true,
  }
}
