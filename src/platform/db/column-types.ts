import pg from 'pg'

const TIMESTAMPTZ = 1184
const INT8 = 20
/** Reads timestamps as `Date` and int8 as a number. */
export const COLUMN_TYPES = {
  getTypeParser(oid: number, format?: 'text' | 'binary'): unknown {
    if (oid === TIMESTAMPTZ) return (text: string) => new Date(text)
    if (oid === INT8) return Number
    return pg.types.getTypeParser(oid, format as 'text')
  },
} as pg.CustomTypesConfig
