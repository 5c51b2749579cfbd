import { Option } from 'commander'

import { wholeNumber } from './whole-number.ts'

const LARGEST_ID = 2 ** 31 - 1

/** The enterprise that a command is about: the id that `enterprise create` prints. */
export const enterpriseOption = () =>
  new Option('--enterprise <id>', 'id of the enterprise').argParser(wholeNumber(1, LARGEST_ID))
