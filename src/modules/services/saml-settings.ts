import { Field, InputType, ObjectType } from 'type-graphql'
import { AccountSettings } from './account-settings.js'
import { registerSettings } from './service-settings.js'

const ATTRIBUTE = 'Name of the attribute with'

@InputType()
@ObjectType()
abstract class SamlFields extends AccountSettings {
  @Field(() => String, {
    nullable: true,
    description:
      'The entity id of the provider, set by an owner alone, as the certificates are. Without it nobody can sign in yet.',
  })
  issuer?: string | null

  @Field(() => String, {
    nullable: true,
    description: 'Address of the provider to which browsers go to sign in (HTTP-Redirect), with https.',
  })
  signOnUrl?: string | null

  @Field(() => [String], {
    nullable: true,
    description:
      'Certificates of the keys by which the provider signs, at most 10: PEM, or base64 alone. Several while one replaces the other.',
  })
  certificates?: string[] | null

  @Field(() => String, {
    nullable: true,
    description: `${ATTRIBUTE} the email; the usual names if absent, else a name id that is an email.`,
  })
  emailAttribute?: string | null

  @Field(() => String, { nullable: true, description: `${ATTRIBUTE} the name to show; the usual names if absent.` })
  nameAttribute?: string | null

  @Field(() => String, {
    nullable: true,
    description: `${ATTRIBUTE} the groups, which are the claim \`groups\` of the role map; the usual names if absent.`,
  })
  groupsAttribute?: string | null

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Whether the emails that it states are proven, as nobody can enter an own one there: they open accounts of verified domains. False by default.',
  })
  emailVerified?: boolean | null
}

@ObjectType({
  simpleResolvers: true,
  description:
    'Settings of a service of type `saml`: a provider by which users of the organization and of those below it sign in (SAML 2.0).',
})
export class SamlSettings extends SamlFields {}

@InputType({
  description: 'Settings of a service of type `saml`. Sessions end after 12 hours if `maxSessionHours` is absent.',
})
export class SamlSettingsInput extends SamlFields {
  @Field(() => String, {
    nullable: true,
    description: 'The metadata of the provider (XML), in place of `issuer`, `signOnUrl` and `certificates`. Read once.',
  })
  metadata?: string | null

  @Field(() => String, {
    nullable: true,
    description: 'Address of the metadata, in place of their text. Asked once, by this write.',
  })
  metadataUrl?: string | null
}

registerSettings('saml', 'Saml', { given: SamlSettingsInput, shown: SamlSettings })
