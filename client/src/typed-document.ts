/** The text of an operation, which knows what it answers with and what it takes. */
export type TypedDocument<Data, Variables> = string & { readonly data?: Data; readonly variables?: Variables }
