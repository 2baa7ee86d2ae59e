import { useState } from 'preact/hooks'
import {
  AdminArticlesDocument,
  CreateArticleDocument,
  DeleteArticleDocument,
  UpdateArticleDocument,
  type AdminArticlesQuery,
} from '../../generated/admin.js'
import { useStore } from '../store/console-store.js'
import { FormDialog, linesOf, type FieldSpec, type Values } from './form-dialog.js'
import { EditButton, Empty, More, Section, Table } from './section.js'
import { useOrganizations } from './use-organizations.js'
import { usePages } from './use-pages.js'
import { words } from './words.js'

type Article = AdminArticlesQuery['articles']['edges'][number]['node']

/** Articles in which agents and bots look things up (2.11); by tags shared with other organizations (4.3). */
export function Articles() {
  const store = useStore()
  const pages = usePages(AdminArticlesDocument, ({ articles }) => articles, 'article')
  const organizations = useOrganizations()
  const [edited, edit] = useState<Article | 'new' | null>(null)
  const own = words.articles
  const present = edited === 'new' ? null : edited
  const save = async (values: Values): Promise<void> => {
    const patch = {
      title: values.title as string,
      body: values.body as string,
      category: (values.category as string) || null,
      status: values.status as Article['status'],
      tags: linesOf(values.tags),
    }
    if (present)
      await store.request(UpdateArticleDocument, { id: present.id, patch: { ...patch, ifVersion: present.version } })
    else {
      const input = { ...patch, organization: (values.organization as string) || null }
      await store.request(CreateArticleDocument, { input })
    }
    pages.refresh()
  }
  const remove = async (id: string): Promise<void> => {
    await store.request(DeleteArticleDocument, { id })
    pages.refresh()
  }
  const fields: FieldSpec[] = [
    { name: 'title', label: own.name, value: present?.title ?? '', isRequired: true },
    { name: 'body', label: own.body, kind: 'lines', value: present?.body ?? '' },
    { name: 'category', label: own.category, value: present?.category ?? '' },
    {
      name: 'status',
      label: own.status,
      kind: 'select',
      value: present?.status ?? 'PUBLISHED',
      options: Object.entries(own.statuses),
    },
    { name: 'tags', label: words.tags, kind: 'lines', help: words.tagsHelp, value: present?.tags.join('\n') ?? '' },
  ]
  return (
    <Section
      title={words.sections.articles}
      lead={own.help}
      answer={pages}
      action={{ label: own.add, run: () => edit('new') }}
    >
      {pages.rows.length > 0 && (
        <Table label={words.sections.articles} heads={[own.name, own.category, own.status, words.organization, '']}>
          {pages.rows.map((article) => (
            <tr key={article.id}>
              <th scope="row">
                <bdi>{article.title}</bdi>
              </th>
              <td>
                <bdi>{article.category}</bdi>
              </td>
              <td>{own.statuses[article.status]}</td>
              <td>
                <bdi>{article.isShared ? own.shared : organizations.nameOf(article.organizationId)}</bdi>
              </td>
              {article.isShared ? <td /> : <EditButton name={article.title} run={() => edit(article)} />}
            </tr>
          ))}
        </Table>
      )}
      <More more={pages.more} />
      {pages.data && pages.rows.length === 0 && <Empty icon="file" says={words.articles.none} />}
      {edited && (
        <FormDialog
          key={present?.id ?? 'new'}
          record={present?.id}
          title={present?.title ?? own.addTitle}
          close={() => edit(null)}
          save={save}
          remove={present ? { ask: words.removeAsk(present.title), run: () => remove(present.id) } : undefined}
          fields={present ? fields : [...fields, organizations.field]}
        />
      )}
    </Section>
  )
}
