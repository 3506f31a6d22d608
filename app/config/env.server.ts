import { parseSettings } from './parse-settings.server'

export const settings = parseSettings(process.env)
