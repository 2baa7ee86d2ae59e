import { FieldResolver, Resolver, Root } from 'type-graphql'
import type { JsonObject } from '../../platform/json.js'
import { JsonObject as JsonObjectScalar } from '../../platform/lists/scalars.js'
import {
  ADDRESS_TEXTS,
  ContactAddress,
  ContactProfile,
  customOf,
  PROFILE_FIELDS,
  type StoredProfile,
} from './contact-profile.js'

/** Resolves a profile's custom keys, which are stored among the known ones, where filters and workflows find them. */
@Resolver(() => ContactProfile)
export class ContactProfileResolver {
  @FieldResolver(() => JsonObjectScalar, { nullable: true })
  custom(@Root() profile: StoredProfile): JsonObject | null {
    return customOf(profile, PROFILE_FIELDS)
  }
}

@Resolver(() => ContactAddress)
export class ContactAddressResolver {
  @FieldResolver(() => JsonObjectScalar, { nullable: true })
  custom(@Root() address: object): JsonObject | null {
    return customOf(address, ADDRESS_TEXTS)
  }
}
