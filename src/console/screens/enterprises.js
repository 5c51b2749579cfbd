import { Head } from '../components/frame.js'
import { ListOf } from '../components/list.js'
import { NameDialog } from '../components/name-dialog.js'
import { RowButton } from '../components/row-button.js'
import { tell } from '../components/toast.js'
import { get, post } from '../core/api.js'
import { t } from '../core/language.js'
import { goTo } from '../core/router.js'
import { html, useState } from '../core/ui.js'

/** Every enterprise, and the root folder that it has or lacks. */
export default function Enterprises() {
  const [chosen, setChosen] = useState(null)
  const columns = [
    [t('name'), ({ name }) => name],
    [t('number'), ({ id }) => id, 'number'],
    [t('accountType'), ({ accountType }) => t(`accountType.${accountType}`)],
    [
      t('folder.root'),
      (enterprise) =>
        enterprise.hasFolder
          ? html`<span class="tag good">${t('yes')}</span>`
          : html`<${RowButton}
              words=${t('folder.newRoot')}
              of=${enterprise.name}
              onClick=${() => setChosen(enterprise)}
            />`,
    ],
  ]
  return html`<div class="screen">
    <${Head} title=${t('part.enterprises')} about=${t('enterprises.about')} />
    <${ListOf}
      label=${t('part.enterprises')}
      question=${(query, signal) => get('/folders/enterprises', query, signal)}
      columns=${columns}
      search
      empty=${html`<p>${t('enterprises.empty')}</p>`}
    />
    ${
      chosen &&
      html`<${NameDialog}
        title=${t('folder.newRoot')}
        first=${chosen.name}
        deed=${(name) => post('/folders', { name, enterpriseId: chosen.id })}
        onClose=${() => setChosen(null)}
        onDone=${({ uuid }) => {
          tell(t('saved'))
          goTo('folders', uuid)
        }}
      />`
    }
  </div>`
}
