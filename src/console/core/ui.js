import htm from 'htm'
import { h } from 'preact'

/** What every screen is written with. */
export const html = htm.bind(h)
export { render } from 'preact'
export {
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'preact/hooks'
export { batch, computed, effect, signal } from '@preact/signals'
