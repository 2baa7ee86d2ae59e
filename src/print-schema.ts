import { lexicographicSortSchema, printSchema } from 'graphql'
import { schemaShape } from './schema.js'

process.stdout.write(`${printSchema(lexicographicSortSchema(await schemaShape()))}\n`)
