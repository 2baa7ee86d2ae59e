import type { GraphQLNamedType } from 'graphql'

/**
 * For `@Extensions` of a type whose objects are values in a record and come with its row, as scalars do: the estimated
 * cost of an operation counts a list of them as one object.
 */
export const PART_OF_RECORD = { isPartOfRecord: true }

export const isPartOfRecord = ({ extensions }: GraphQLNamedType): boolean => extensions.isPartOfRecord === true
