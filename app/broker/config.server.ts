import { settings } from '~/config/env.server'
import { log } from '~/config/logger.server'
import { loadAdapter } from './adapter.server'
import { createOperationMemory } from './optional.server'
import { type BrokerConfig } from './requests.server'

/** The memory of the broker's optional operations. */
export const operations = createOperationMemory()

/** Clears it, as after a start. */
export const forgetOperations = () => operations.forget()

export const brokerConfig: BrokerConfig = {
	baseUrls: {
		broker: settings.BROKER_URL,
		ekyc: settings.EKYC_URL ?? settings.BROKER_URL,
		edis: settings.EDIS_URL ?? settings.BROKER_URL,
		ipo: settings.IPO_URL ?? settings.BROKER_URL,
		payment: settings.PAYMENT_URL ?? settings.BROKER_URL,
	},
	timeoutMs: settings.BROKER_TIMEOUT_MS,
	tell: (level, event, message) => log[level](event, message),
	adapter: await loadAdapter(settings.BROKER_ADAPTER),
	operations,
}
