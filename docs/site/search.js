// Searches all sections while one types; Escape closes the list.
const input = document.querySelector('#search')
const found = document.querySelector('#found')
const index = window.MiniSearch.loadJSON(window.searchIndex, {
  fields: ['title', 'heading', 'text'],
  storeFields: ['at', 'title', 'heading'],
  searchOptions: { boost: { title: 3, heading: 2 }, prefix: true, fuzzy: 0.1, combineWith: 'AND' },
})

input.addEventListener('input', () => {
  const hits = index.search(input.value).slice(0, 12)
  found.replaceChildren(
    ...hits.map(({ at, title, heading }) => {
      const link = document.createElement('a')
      link.href = `${input.dataset.root}/${at}`
      link.textContent = heading && heading !== title ? `${title}: ${heading}` : title
      const row = document.createElement('li')
      row.append(link)
      return row
    }),
  )
  found.hidden = hits.length === 0
})
input.addEventListener('keydown', ({ key }) => {
  if (key === 'Escape') found.hidden = true
  if (key === 'Enter') found.querySelector('a')?.click()
})
