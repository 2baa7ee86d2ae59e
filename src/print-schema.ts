import { lexicographicSortSchema, printSchema } from 'graphql'
import { schemaShape } from './app/schema.js'

process.stdout.write(`${printSchema(lexicographicSortSchema(await schemaShape()))}\n`)
