import { CopyButton } from '../../components/copy-button.js'
import { Table } from '../../components/list.js'
import { t } from '../../core/language.js'
import { session } from '../../core/session.js'
import { html } from '../../core/ui.js'

/** How the table is reached from elsewhere: by SQL, by a script. */
export function Access({ source }) {
  const { enterprise } = session.value.user
  const columns = source.columns.slice(0, 4).map(({ column }) => quoted(column))
  const sql = `select ${columns.join(', ')}\nfrom ${quoted(source.schema)}.${quoted(source.tableName)}\nlimit 100;`
  const address = new URL(`../sources/${source.uuid}`, document.baseURI).href
  const curl = `curl -H "X-App-Access-Token: $TOKEN" "${address}/data?limit=100"`
  const user = `npm run cli -- sql-user create --enterprise ${enterprise?.id ?? 'ID'} --name lecture`
  return html`<div class="columns">
      <${Recipe} title=${t('access.sql')} about=${t('access.sql.about')} text=${sql} />
      <${Recipe} title=${t('access.user')} about=${t('access.user.about')} text=${user} />
      <${Recipe} title=${t('access.api')} about=${t('access.api.about')} text=${curl} />
    </div>
    <h2>${t('access.columns')}</h2>
    <${Table} label=${t('access.columns')} columns=${columnsShown()} items=${source.columns} />`
}

const columnsShown = () => [
  [
    t('column'),
    ({ name, sent }) =>
      html`${name}${' '}${sent === false && html`<span class="tag warn">${t('notSent')}</span>`}`,
  ],
  [t('sqlName'), ({ column }) => html`<code>${column}</code>`],
  [t('sqlType'), ({ sqlType }) => html`<code>${sqlType}</code>`],
]

function Recipe({ title, about, text }) {
  return html`<section class="panel">
    <div class="row">
      <h2 class="grow">${title}</h2>
      <${CopyButton} of=${title} text=${text} />
    </div>
    <p class="soft">${about}</p>
    <pre tabindex="0">${text}</pre>
  </section>`
}

const quoted = (name) =>
  /^[a-z_][a-z0-9_]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`
