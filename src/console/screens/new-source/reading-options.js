import { Choice, TextField } from '../../components/field.js'
import { t } from '../../core/language.js'
import { html, useState } from '../../core/ui.js'

const ENCODINGS = ['utf-8', 'utf-16le', 'windows-1252', 'iso-8859-15', 'cp850', 'macintosh']
const DELIMITERS = [',', ';', '\t', '|']
const FORMATS = [
  'csv',
  'excel',
  'json',
  'xls',
  'ods',
  'parquet',
  'html',
  'xml-spreadsheet',
  'fixed-width',
]
const BASIC_FORMATS = FORMATS.slice(0, 3)

/** What can be said about how a file is read; left alone, everything is found from its content. */
export function ReadingOptions({ seen, options, hasTable, onRead, onTake }) {
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
  const hasSheets = ['excel', 'xls', 'ods', 'xml-spreadsheet'].includes(format)
  return html`<details>
    <summary>${t('reading')}</summary>
    <div class="form panel">
      <div class="form-line">
        <${Choice}
          label=${t('format')}
          value=${options.format ?? ''}
          choices=${[['', t('foundAs', { value: seen?.typed.format ?? '…' })], ...(hasTable ? FORMATS : BASIC_FORMATS).map((name) => [name, name])]}
          onChange=${(value) => onRead({ format: value || undefined })}
        />
        ${
          !hasSheets &&
          html`<${Choice}
              label=${t('dialect.encoding')}
              value=${options.encoding ?? ''}
              choices=${[['', auto('encoding')], ...ENCODINGS.map((name) => [name, name])]}
              onChange=${(value) => onRead({ encoding: value || undefined })}
            />
            <${Choice}
              label=${t('dialect.delimiter')}
              value=${options.delimiter ?? ''}
              choices=${[['', auto('delimiter')], ...DELIMITERS.map((sign) => [sign, sign === '\t' ? t('character.tab') : sign])]}
              onChange=${(value) => onRead({ delimiter: value || undefined })}
            />`
        }
        ${
          hasSheets &&
          html`<${Written}
            label=${t('dialect.sheet')}
            value=${options.sheet ?? ''}
            placeholder=${found('sheet') ?? ''}
            onWritten=${(value) => onRead({ sheet: value || undefined })}
          />`
        }
        ${
          hasSheets &&
          hasTable &&
          html`<${Written}
            label=${t('range')}
            value=${options.range ?? ''}
            placeholder="A5:H120"
            onWritten=${(value) => onRead({ range: value || undefined })}
          />`
        }
        <${Written}
          label=${t('headerRow')}
          hint=${t('headerRow.hint')}
          inputmode="numeric"
          value=${headerText(options.headerRow)}
          onWritten=${(value) => onRead({ headerRow: readHeaderRow(value) })}
        />
      </div>
      <div class="form-line">
        <${Choice}
          label=${t('ragged')}
          value=${options.ragged ?? 'reject'}
          choices=${['reject', 'pad', 'fit'].map((name) => [name, t(`ragged.${name}`)])}
          onChange=${(value) => onRead({ ragged: value === 'reject' ? undefined : value })}
        />
        ${
          hasTable &&
          html`<${Choice}
              label=${t('notes')}
              value=${options.notes ?? ''}
              choices=${[
                ['', t('notes.leave')],
                ['load', t('notes.load')],
              ]}
              onChange=${(value) => onRead({ notes: value || undefined })}
            />
            <${Choice}
              label=${t('fillDown')}
              value=${options.fillDown ? 'yes' : ''}
              choices=${[
                ['', t('no')],
                ['yes', t('fillDown.all')],
              ]}
              onChange=${(value) => onRead({ fillDown: value ? true : undefined })}
            />`
        }
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
