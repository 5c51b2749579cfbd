import { Option } from 'commander'

import { ACCOUNT_TYPES } from '../resources/account-types.ts'

export const accountTypeOption = () =>
  new Option('--account-type <type>', 'kind of account')
    .choices(ACCOUNT_TYPES)
    .makeOptionMandatory()
