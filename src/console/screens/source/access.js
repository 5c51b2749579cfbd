import { CopyButton } from '../../components/copy-button.js'
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
    <section class="panel">
      <h2>${t('access.columns')}</h2>
      <div class="table-box" role="region" tabindex="0" aria-label=${t('access.columns')}>
        <table>
          <thead>
            <tr>
              <th scope="col">${t('column')}</th>
              <th scope="col">${t('sqlName')}</th>
              <th scope="col">${t('sqlType')}</th>
            </tr>
          </thead>
          <tbody>
            ${source.columns.map(
              ({ name, column, sqlType, sent }) =>
                html`<tr>
                  <th scope="row">
                    ${name}${' '}${sent === false && html`<span class="tag warn">${t('notSent')}</span>`}
                  </th>
                  <td><code>${column}</code></td>
                  <td><code>${sqlType}</code></td>
                </tr>`,
            )}
          </tbody>
        </table>
      </div>
    </section>
  </div>`
}

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
