/** GraphQL documents of the console and the web widget, of all releases whose pages may be open: see `api/graphql/page-documents.ts`. */
const PAGE_DOCUMENT = `
create table page_document (
  id text primary key,
  text text not null,
  -- When a node that has it last started, to the day.
  seen_at timestamptz not null
)`

export const PAGES = [PAGE_DOCUMENT]
