/**
 * Texts that come with Watchword, by language. Each fits one SMS with a code of 8 digits and a brand of 20 characters
 * of any alphabet. Languages that GSM 7-bit can write are written in it, with words chosen so that no other letter is
 * needed.
 */
export const builtInTexts: Readonly<Record<string, string>> = {
  ar: "{{code}} هو رمز {{brand}}. صالح لمدة {{minutes}} دقيقة.",
  bg: "{{code}} е вашият код за {{brand}}. Валиден {{minutes}} мин.",
  cs: "Heslo pro {{brand}} je {{code}}, na {{minutes}} minut.",
  da: "Din kode til {{brand}} er {{code}}. Gælder i {{minutes}} minutter.",
  de: "Ihr Code für {{brand}} ist {{code}}. Er gilt {{minutes}} Minuten.",
  el: "Ο κωδικός {{brand}}: {{code}}. Ισχύει για {{minutes}} λεπτά.",
  en: "Your {{brand}} code is {{code}}. Valid for {{minutes}} minutes.",
  es: "{{code}} es su clave para {{brand}}. Caduca en {{minutes}} minutos.",
  fi: "Koodi palveluun {{brand}} on {{code}}. Voimassa {{minutes}} min.",
  fr: "Votre code {{brand}} est {{code}}. Expire dans {{minutes}} minutes.",
  he: "{{code}} הוא הקוד שלך ל-{{brand}}. בתוקף ל-{{minutes}} דקות.",
  hi: "{{brand}} के लिए आपका कोड {{code}} है, {{minutes}} मिनट तक।",
  hu: "{{brand}} PIN: {{code}} ({{minutes}} perc)",
  id: "Kode {{brand}} Anda adalah {{code}}. Berlaku {{minutes}} menit.",
  it: "Il tuo codice {{brand}} è {{code}}. Scade tra {{minutes}} minuti.",
  ja: "{{brand}}の認証コードは{{code}}です。有効期限は{{minutes}}分です。",
  ko: "{{brand}} 인증 코드는 {{code}}입니다. {{minutes}}분간 유효합니다.",
  nb: "Koden din til {{brand}} er {{code}}. Gjelder i {{minutes}} minutter.",
  nl: "Je code voor {{brand}} is {{code}}. {{minutes}} minuten geldig.",
  pl: "Kod {{brand}}: {{code}}. Wygasa za {{minutes}} min.",
  pt: "Use {{code}} para confirmar em {{brand}}. Expira em {{minutes}} min.",
  ro: "Cod {{brand}}: {{code}} (valabil {{minutes}} minute).",
  ru: "{{code}} — ваш код для {{brand}}. Действует {{minutes}} мин.",
  sv: "Din kod för {{brand}} är {{code}}. Den gäller i {{minutes}} minuter.",
  th: "รหัส {{brand}} ของคุณคือ {{code}} ใช้ได้ {{minutes}} นาที",
  tr: "{{brand}} kodunuz: {{code}}. {{minutes}} dakika sonra sona erer.",
  uk: "{{code}} — ваш код для {{brand}}. Діє {{minutes}} хв.",
  vi: "{{code}} là mã {{brand}} của bạn, hết hạn sau {{minutes}} phút.",
  zh: "您的{{brand}}验证码是{{code}}，{{minutes}}分钟内有效。"
}
