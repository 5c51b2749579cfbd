import type { Pool } from 'pg'

import type { Contender } from './in-turns.ts'
import { time } from './measure.ts'
import { ADD_KEY, dropTable, NUMBERED } from './messy-table.ts'
import { copyFile } from './psql-copy.ts'

/** What one stream of rows cannot take less than: they are encoded already, and logged nowhere. */
export function floorOfLoad(binary: string, url: string, pool: Pool): Contender {
  return {
    name: 'COPY of the encoded binary file, with FREEZE into a table of its transaction',
    prepare: () => dropTable(pool, 'copied'),
    run: () =>
      time(() =>
        copyFile(url, 'from', {
          table: 'copied',
          path: binary,
          format: 'binary',
          freeze: true,
          before: `begin; create table public.copied (${NUMBERED})`,
          afterwards: `${ADD_KEY}; commit`,
        }),
      ),
  }
}
