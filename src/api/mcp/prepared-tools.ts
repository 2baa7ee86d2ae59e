import { OperationTypeNode, parse, type GraphQLSchema } from 'graphql'
import type { Caller } from '../../platform/access/caller.js'
import { refusalOf } from '../../platform/access/permissions.js'
import type { OperationRunner } from '../graphql/operations.js'
import type { PreparedOperation } from '../graphql/documents.js'
import { inputSchema, operationOf, outputSchema } from './tool-schemas.js'
import type { Tool } from './tools.js'

export interface PreparedTool extends Tool {
  prepared: PreparedOperation
  /** Names of its input. */
  inputs: readonly string[]
  /** The one field of its answer. */
  field: string
  /** As it is listed. */
  json: string
}

/** Matches every row with the schema, and validates its document. @throws Error naming a tool that does not match */
export function prepareTools(
  schema: GraphQLSchema,
  operations: OperationRunner,
  rows: readonly Tool[],
): Map<string, PreparedTool> {
  return new Map(rows.map((tool) => [tool.name, prepare(schema, operations, tool)]))
}

/** Tells whether the tool is for the caller, and the caller has the rights that it needs at the moment. */
export function maySee({ needs, isForBots }: Tool, caller: Caller): boolean {
  if (isForBots && !(caller.kind === 'user' && caller.isBot)) return false
  return needs.every((permission) => refusalOf(caller, permission) === null)
}

function prepare(schema: GraphQLSchema, operations: OperationRunner, tool: Tool): PreparedTool {
  const { name, title, description, document } = tool
  try {
    const prepared = operations.prepare(document)
    const parsed = parse(document)
    const isReading = prepared.kind === OperationTypeNode.QUERY
    const input = inputSchema(schema, parsed)
    const [selected] = operationOf(parsed).selectionSet.selections
    const listed = {
      name,
      title,
      description,
      inputSchema: input,
      outputSchema: outputSchema(schema, parsed),
      // Repeated with the same key, a write happens once.
      annotations: { readOnlyHint: isReading, destructiveHint: false, idempotentHint: true, openWorldHint: !isReading },
    }
    return {
      ...tool,
      prepared,
      inputs: Object.keys(input.properties as object),
      field: (selected as { name: { value: string } }).name.value,
      json: JSON.stringify(listed),
    }
  } catch (error) {
    throw new Error(`the tool ${name}: ${(error as Error).message}`, { cause: error })
  }
}
