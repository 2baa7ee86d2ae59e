/**
 * Full-text search (`lists/text-search.ts`). Uses expression indexes rather than columns: a stored tsvector would be
 * read with every row. Words are not stemmed because consumers of one installation write in many languages.
 */

/**
 * The last word also matches longer words that begin with it, for search boxes that query while typing; not if it is
 * short or excluded.
 */
const QUERY = `
create function search_query(words text) returns tsquery language sql immutable parallel safe return
  case when websearch_to_tsquery('simple', words)::text ~ $re$(^|[^!])'[^'\\s]{3,}'$$re$
    then (websearch_to_tsquery('simple', words)::text || ':*')::tsquery
    else websearch_to_tsquery('simple', words) end`

const MESSAGE_DOCUMENT = `
create function message_document(body text, meta jsonb) returns tsvector language sql immutable parallel safe return
  to_tsvector('simple', coalesce(body, '') || ' ' || coalesce(meta ->> 'title', ''))`

const CONVERSATION_DOCUMENT = `
create function conversation_document(name text, category text) returns tsvector language sql immutable parallel safe
return to_tsvector('simple', name || ' ' || coalesce(category, ''))`

/** The parts of an address are indexed as words; a number is found with and without its plus. */
const CONTACT_DOCUMENT = `
create function contact_document(profile jsonb) returns tsvector language sql immutable parallel safe return
  to_tsvector('simple', coalesce(profile ->> 'name', '') || ' ' || coalesce(profile ->> 'givenName', '') || ' ' ||
    coalesce(profile ->> 'additionalName', '') || ' ' || coalesce(profile ->> 'familyName', '') || ' ' ||
    coalesce(profile ->> 'worksFor', '') || ' ' ||
    coalesce(profile ->> 'email', '') || ' ' || coalesce(translate(profile ->> 'email', '@.-_+', '     '), '') || ' ' ||
    coalesce(profile ->> 'telephone', '') || ' ' || coalesce(ltrim(profile ->> 'telephone', '+'), '') || ' ' ||
    coalesce(profile -> 'address' ->> 'city', '') || ' ' ||
    coalesce(profile -> 'address' ->> 'addressLocality', '') || ' ' ||
    coalesce(profile -> 'address' ->> 'postalCode', ''))`

const INDEXES = `
-- Room for the words of new messages until they are sorted in, see search/search-maintenance.ts; in kB.
create index message_search on message using gin (message_document(text, meta)) with (gin_pending_list_limit = 16384)
  where type <> 'command';
create index conversation_search on conversation using gin (conversation_document(name, category));
create index contact_search on contact using gin (contact_document(profile))`

export const SEARCH = [QUERY, MESSAGE_DOCUMENT, CONVERSATION_DOCUMENT, CONTACT_DOCUMENT, INDEXES]
