import { Choice, TextField } from '../../components/field.js'
import { foreignTo, formats, takes, wordsOfFormat } from '../../core/formats.js'
import { t } from '../../core/language.js'
import { html, useState } from '../../core/ui.js'

const ENCODINGS = ['utf-8', 'utf-16le', 'windows-1252', 'iso-8859-15', 'cp850', 'macintosh']
const DELIMITERS = [',', ';', '\t', '|']
/** What can be said about how a file is read; left alone, everything is found from its content. */
export function ReadingOptions({ seen, options, onRead, onTake }) {
  const found = (name) => {
    const value = seen?.typed.dialect?.[name]
    return value?.value ?? value
  }
  const auto = (name) => {
    const value = found(name)
    const shown = value === '\t' ? t('character.tab') : value
    return typeof shown === 'string' && shown !== '' ? t('foundAs', { value: shown }) : t('found')
  }
  const format = options.format ?? seen?.typed.format
  // Of a file that nobody could read yet, all may be said.
  const asks = (option) => format === undefined || takes(format, option)
  const readAs = (name) =>
    onRead({
      ...Object.fromEntries(foreignTo(name).map((option) => [option, undefined])),
      format: name || undefined,
    })
  const asFound = seen ? wordsOfFormat(seen.typed.format) : '…'
  const fields = {
    encoding: html`<${Choice}
      label=${t('dialect.encoding')}
      value=${options.encoding ?? ''}
      choices=${[['', auto('encoding')], ...ENCODINGS.map((name) => [name, name])]}
      onChange=${(value) => onRead({ encoding: value || undefined })}
    />`,
    delimiter: html`<${Choice}
      label=${t('dialect.delimiter')}
      value=${options.delimiter ?? ''}
      choices=${[['', auto('delimiter')], ...DELIMITERS.map((sign) => [sign, sign === '\t' ? t('character.tab') : sign])]}
      onChange=${(value) => onRead({ delimiter: value || undefined })}
    />`,
    widths: html`<${Written}
      label=${t('widths')}
      hint=${t('widths.hint')}
      placeholder="8, 20, 12"
      value=${(options.widths ?? []).join(', ')}
      onWritten=${(value) => onRead({ widths: readWidths(value) })}
    />`,
    path: html`<${Written}
      label=${t('dialect.path')}
      placeholder="/rows"
      value=${options.path ?? ''}
      onWritten=${(value) => onRead({ path: value || undefined })}
    />`,
    sheet: html`<${Written}
      label=${t('dialect.sheet')}
      value=${options.sheet ?? ''}
      placeholder=${found('sheet') ?? ''}
      onWritten=${(value) => onRead({ sheet: value || undefined })}
    />`,
    range: html`<${Written}
      label=${t('range')}
      value=${options.range ?? ''}
      placeholder="A5:H120"
      onWritten=${(value) => onRead({ range: value || undefined })}
    />`,
    headerRow: html`<${Written}
      label=${t('headerRow')}
      hint=${t('headerRow.hint')}
      inputmode="numeric"
      value=${headerText(options.headerRow)}
      onWritten=${(value) => onRead({ headerRow: readHeaderRow(value) })}
    />`,
    ragged: html`<${Choice}
      label=${t('ragged')}
      value=${options.ragged ?? 'reject'}
      choices=${['reject', 'pad', 'fit'].map((name) => [name, t(`ragged.${name}`)])}
      onChange=${(value) => onRead({ ragged: value === 'reject' ? undefined : value })}
    />`,
    notes: html`<${Choice}
      label=${t('notes')}
      value=${options.notes ?? ''}
      choices=${[
        ['', t('notes.leave')],
        ['load', t('notes.load')],
      ]}
      onChange=${(value) => onRead({ notes: value || undefined })}
    />`,
    fillDown: html`<${Choice}
      label=${t('fillDown')}
      value=${options.fillDown ? 'yes' : ''}
      choices=${[
        ['', t('no')],
        ['yes', t('fillDown.all')],
      ]}
      onChange=${(value) => onRead({ fillDown: value ? true : undefined })}
    />`,
  }
  return html`<details>
    <summary>${t('reading')}</summary>
    <div class="form panel">
      <div class="form-line">
        <${Choice}
          label=${t('format')}
          value=${options.format ?? ''}
          choices=${[['', t('foundAs', { value: asFound })], ...formats.map(({ name }) => [name, wordsOfFormat(name)])]}
          onChange=${readAs}
        />
        ${Object.entries(fields).map(([option, field]) => asks(option) && field)}
        <${Choice}
          label=${t('decimal')}
          value=${options.decimal ?? ''}
          choices=${[
            ['', t('found')],
            [',', '1 234,56'],
            ['.', '1,234.56'],
          ]}
          onChange=${(value) => onTake({ decimal: value || undefined })}
        />
        <${Written}
          label=${t('timezone')}
          placeholder="Europe/Paris"
          value=${options.timezone ?? ''}
          onWritten=${(value) => onTake({ timezone: value || undefined })}
        />
        <${Written}
          label=${t('nullValues')}
          placeholder="néant, ?"
          value=${(options.nullValues ?? []).join(', ')}
          onWritten=${(value) => {
            const words = value
              .split(',')
              .map((word) => word.trim())
              .filter(Boolean)
            onTake({ nullValues: words.length > 0 ? words : undefined })
          }}
        />
      </div>
    </div>
  </details>`
}

/** Counts when the writing is done: with Enter, or when the field is left. */
function Written({ value, onWritten, ...rest }) {
  const [text, setText] = useState(value)
  const [before, setBefore] = useState(value)
  if (before !== value) {
    setBefore(value)
    setText(value)
  }
  const done = () => {
    if (text !== value) onWritten(text.trim())
  }
  return html`<${TextField}
    ...${rest}
    value=${text}
    onInput=${setText}
    onBlur=${done}
    onKeyDown=${(event) => {
      if (event.key === 'Enter') done()
    }}
  />`
}

const headerText = (headerRow) =>
  headerRow === undefined ? '' : Array.isArray(headerRow) ? headerRow.join('-') : String(headerRow)

/** `3`, or `3-4` for a header of two rows. */
function readHeaderRow(text) {
  const [, from, to] = /^(\d+)(?:\s*[-–]\s*(\d+))?$/.exec(text) ?? []
  if (from === undefined) return undefined
  return to === undefined ? Number(from) : [Number(from), Number(to)]
}

/** `8, 20, 12` */
function readWidths(text) {
  const widths = text.split(/\D+/).filter(Boolean).map(Number)
  return widths.length > 0 ? widths : undefined
}
