import { connectionType, orderInput, OrderDirection } from '../../platform/lists/connection.js'
import { filterInput, ORG_PATH, type FilterFields } from '../../platform/lists/filters.js'
import type { ListDefinition } from '../../platform/lists/list-page.js'
import { Article, ArticleStatusEnum, sharedArticles } from './article.js'

const fields: FilterFields = {
  id: { kind: 'id', sql: 't.id', sortable: true },
  organization: { kind: 'id', sql: 't.organization_id' },
  orgPath: ORG_PATH,
  title: { kind: 'text', sql: 't.title', sortable: true },
  summary: { kind: 'text', sql: 't.summary' },
  body: { kind: 'text', sql: 't.body' },
  content: { kind: 'text', sql: 't.body' },
  language: { kind: 'text', sql: 't.language', sortable: true },
  category: { kind: 'text', sql: 't.category', sortable: true },
  status: { kind: 'text', sql: 't.status', values: ArticleStatusEnum, sortable: true },
  tags: { kind: 'textArray', sql: 't.tags' },
  meta: { kind: 'json', sql: 't.meta' },
  createdAt: { kind: 'time', sql: 't.created_at', sortable: true },
  updatedAt: { kind: 'time', sql: 't.updated_at', sortable: true },
}

export const articleList: ListDefinition = {
  table: sharedArticles.table,
  visible: sharedArticles.visible,
  fields,
  defaultOrder: [{ field: 'id', direction: OrderDirection.ASC }],
}
export const ArticleFilter = filterInput('ArticleFilter', fields)
export const ArticleOrder = orderInput('Article', fields)
export const ArticleConnection = connectionType('Article', () => Article)
