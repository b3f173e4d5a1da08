/**
 * CAMARA One-Time Password SMS 1.1, the operators' standard, in front of the verifications of a service.
 */
export { type CamaraOtp, type Service, camaraOtp } from "./internal/Door.ts"
