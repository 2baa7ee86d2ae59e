import { Entity, Property } from '@mikro-orm/decorators/legacy'
import { Field, Float, ID, InputType, ObjectType } from 'type-graphql'
import { sharedSql } from '../../platform/db/tenancy.js'
import { TextArray } from '../../platform/db/text-array.js'
import type { SharedResource } from '../sharing/shared-records.js'
import { LocationAddress } from './location-address.js'
import { OpeningHours } from '../schedules/opening-hours.js'
import { Node } from '../../platform/lists/node.js'
import { TenantRecord } from '../../platform/lists/tenant-record.js'
import { IfVersion } from '../../platform/lists/record-version.js'

const LATITUDE = 'Degrees north (WGS 84), -90 to 90; requires the longitude.'
const LONGITUDE = 'Degrees east (WGS 84), -180 to 180; requires the latitude.'
const TELEPHONE = "E.164; a national number is interpreted in the organization's country."
const TIMEZONE = 'IANA time zone of the opening hours.'
const TAGS = 'Shares the location with organizations that have one of them; set by administrators (4.3).'

@Entity({ tableName: 'location' })
@ObjectType({
  implements: Node,
  simpleResolvers: true,
  description: 'A location of an organization, such as a shop (2.11).',
})
export class Location extends TenantRecord {
  @Property({ type: 'text' })
  @Field(() => String)
  name!: string

  @Property({ type: 'json', nullable: true })
  @Field(() => LocationAddress, { nullable: true })
  address!: LocationAddress | null

  @Property({ type: 'double', nullable: true })
  @Field(() => Float, { nullable: true, description: LATITUDE })
  latitude!: number | null

  @Property({ type: 'double', nullable: true })
  @Field(() => Float, { nullable: true, description: LONGITUDE })
  longitude!: number | null

  @Property({ type: 'text', nullable: true })
  @Field(() => String, { nullable: true, description: TELEPHONE })
  telephone!: string | null

  @Property({ type: 'text', nullable: true })
  @Field(() => String, { nullable: true, description: 'Email address, in lower case.' })
  email!: string | null

  @Property({ type: 'text', nullable: true })
  @Field(() => String, { nullable: true, description: 'Web page of the location.' })
  url!: string | null

  @Property({ type: 'text', nullable: true })
  @Field(() => String, { nullable: true, description: TIMEZONE })
  timezone!: string | null

  @Property({ type: 'json' })
  @Field(() => [OpeningHours], { description: 'Opening hours; empty when unknown.' })
  openingHours!: OpeningHours[]

  @Property({ type: TextArray })
  @Field(() => [String], { description: TAGS })
  tags!: string[]
}

@InputType()
export abstract class LocationFieldsInput {
  @Field(() => String, { nullable: true, description: 'Not blank, at most 200 characters.' })
  name?: string | null

  @Field(() => LocationAddress, { nullable: true, description: 'Replaces the whole address.' })
  address?: LocationAddress | null

  @Field(() => Float, { nullable: true, description: LATITUDE })
  latitude?: number | null

  @Field(() => Float, { nullable: true, description: LONGITUDE })
  longitude?: number | null

  @Field(() => String, { nullable: true, description: TELEPHONE })
  telephone?: string | null

  @Field(() => String, { nullable: true })
  email?: string | null

  @Field(() => String, { nullable: true, description: 'Web page of the location, http or https.' })
  url?: string | null

  @Field(() => String, { nullable: true, description: TIMEZONE })
  timezone?: string | null

  @Field(() => [OpeningHours], { nullable: true, description: 'Replaces all hours.' })
  openingHours?: OpeningHours[] | null

  @Field(() => [String], { nullable: true, description: TAGS })
  tags?: string[] | null
}

@InputType({ description: 'Changes of a location. Only the given keys change; `null` clears.' })
export class UpdateLocationInput extends LocationFieldsInput {
  @IfVersion() ifVersion?: number | null
}

@InputType({ description: 'A new location.' })
export class CreateLocationInput extends LocationFieldsInput {
  @Field(() => String, { description: 'Not blank, at most 200 characters.' })
  declare name: string

  @Field(() => ID, { nullable: true, description: "Defaults to the caller's organization." })
  organization?: string | null
}

export const sharedLocations: SharedResource<Location> = {
  entity: Location,
  table: 'location',
  visible: sharedSql('location'),
}
