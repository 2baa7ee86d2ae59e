import { Type } from '@mikro-orm/core'

/**
 * A `text[]` or `uuid[]` column. The ORM's own array type writes `null`, surrounding spaces and line breaks
 * incorrectly; this one quotes every element.
 */
export class TextArray extends Type<string[] | null, string | null> {
  override convertToDatabaseValue(value: string[] | null): string | null {
    if (!Array.isArray(value)) return value ?? null
    return `{${value.map((element) => `"${element.replace(/[\\"]/g, '\\$&')}"`).join(',')}}`
  }

  override convertToJSValue(value: string[] | string | null): string[] | null {
    if (typeof value === 'string') throw new Error('the driver did not parse an array')
    return value ?? null
  }

  override compareAsType(): string {
    return 'string[]'
  }

  override getColumnType(): string {
    return 'text[]'
  }
}

const ELEMENT = /"((?:[^"\\]|\\.)*)"/g

/** Reads what {@link TextArray} writes. */
export function readTextArray(written: string): string[] {
  return [...written.matchAll(ELEMENT)].map(([, element]) => element!.replace(/\\(.)/gs, '$1'))
}
