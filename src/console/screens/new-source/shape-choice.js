import { Choice } from '../../components/field.js'
import { headersOf, Mapping, mappingOf } from '../../components/mapping.js'
import { Problem } from '../../components/problem.js'
import { get } from '../../core/api.js'
import { t } from '../../core/language.js'
import { useAnswer } from '../../core/loading.js'
import { html } from '../../core/ui.js'
import { askHeaders } from './ask-preview.js'
import { useSaid } from './drafts.js'

/** A shape that the source shares with others, and how the headers of the file meet its columns. */
export function useShape(draft, options, columns) {
  const [shapeUuid, setShape] = useSaid(draft, 'shapeUuid', '')
  const [answers, setAnswers] = useSaid(draft, 'answers', {})
  const isFile = draft.origin.kind !== 'resource'
  const shapes = useAnswer(
    (signal) => (isFile ? get('/shapes', { limit: 100 }, signal) : Promise.resolve({ items: [] })),
    [isFile],
  )
  const said = columns.length === 0 ? options : { ...options, columns }
  const met = useAnswer(
    (signal) =>
      shapeUuid === '' ? Promise.resolve(null) : askHeaders(draft, said, shapeUuid, signal),
    [shapeUuid, JSON.stringify(said)],
  )
  const mapping = mappingOf(met.data?.mapping ?? [], answers)
  return {
    shapes: shapes.data?.items ?? [],
    shapeUuid,
    choose(uuid) {
      setAnswers({})
      setShape(uuid)
    },
    met,
    shape: met.data?.shape,
    answers,
    answer: (header, answer) => setAnswers((before) => ({ ...before, [header]: answer })),
    headers: headersOf(met.data?.mapping ?? [], answers),
    given: {
      ...(shapeUuid !== '' && { shapeUuid }),
      ...(Object.keys(mapping).length > 0 && { mapping }),
    },
  }
}

export function ShapeChoice({ of: { shapes, shapeUuid, choose } }) {
  if (shapes.length === 0) return null
  return html`<${Choice}
    label=${t('shape')}
    value=${shapeUuid}
    choices=${[['', t('shape.ofItsOwn')], ...shapes.map(({ uuid, name }) => [uuid, name])]}
    onChange=${choose}
  />`
}

export function ShapeHeaders({ of: { shapes, shapeUuid, met, answers, answer } }) {
  if (shapeUuid === '') return null
  const { data, problem, askAgain } = met
  if (problem) return html`<${Problem} problem=${problem} askAgain=${askAgain} />`
  if (!data?.mapping) return html`<p class="soft" role="status">${t('mapping.looking')}</p>`
  const columns = shapes.find(({ uuid }) => uuid === shapeUuid)?.columns ?? []
  const taken = data.mapping.map(({ column }) => column)
  return html`<${Mapping}
    mapping=${data.mapping}
    missing=${data.missing}
    columns=${columns.map(({ name }) => name).filter((name) => !taken.includes(name))}
    answers=${answers}
    onAnswer=${answer}
  />`
}
