/**
 * Sentences that users send to prove their number, by language: they name the brand, and say never to send them for
 * someone else, because a fraudster talks people into that. The token takes the place `{{code}}`.
 */
export const receiveTexts: Readonly<Record<string, string>> = {
  ar: "تأكيد رقمي لدى {{brand}}: {{code}}. لا ترسل هذا نيابة عن شخص آخر.",
  bg: "Потвърждавам номера си за {{brand}}: {{code}}. Никога не го изпращайте вместо друг.",
  cs: "Potvrzuji své číslo pro {{brand}}: {{code}}. Nikdy neposílejte za někoho jiného.",
  da: "Bekræft mit nummer hos {{brand}}: {{code}}. Send aldrig dette for en anden.",
  de: "Meine Nummer für {{brand}} bestätigen: {{code}}. Nie für jemand anderen senden.",
  el: "Επιβεβαίωση αριθμού για {{brand}}: {{code}}. Μην το στέλνετε ποτέ για άλλον.",
  en: "Verify my number for {{brand}}: {{code}}. Never send this for someone else.",
  es: "Verificar mi número en {{brand}}: {{code}}. Nunca lo envíe por otra persona.",
  fi: "Vahvista numeroni palveluun {{brand}}: {{code}}. Älä lähetä tätä toisen puolesta.",
  fr: "Confirmer mon numéro pour {{brand}} : {{code}}. Ne l'envoyez jamais pour un autre.",
  he: "אימות המספר שלי ב-{{brand}}: {{code}}. אין לשלוח זאת עבור אדם אחר.",
  hi: "{{brand}} के लिए मेरा नंबर सत्यापित करें: {{code}}। इसे किसी और के लिए कभी न भेजें।",
  hu: "Számom igazolása, {{brand}}: {{code}}. Soha ne küldje el más helyett.",
  id: "Verifikasi nomor saya di {{brand}}: {{code}}. Jangan kirim ini untuk orang lain.",
  it: "Verifica il mio numero per {{brand}}: {{code}}. Non inviarlo mai per altri.",
  ja: "{{brand}}で自分の番号を確認します: {{code}} 他人のために送信しないでください。",
  ko: "{{brand}} 내 번호 인증: {{code}} 다른 사람을 위해 보내지 마세요.",
  nb: "Bekreft nummeret mitt hos {{brand}}: {{code}}. Send aldri dette for andre.",
  nl: "Bevestig mijn nummer voor {{brand}}: {{code}}. Stuur dit nooit voor een ander.",
  pl: "Potwierdzam mój numer w {{brand}}: {{code}}. Nigdy nie wysyłaj za kogoś innego.",
  pt: "Confirmar o meu número em {{brand}}: {{code}}. Nunca envie isto por outra pessoa.",
  ro: "Confirm numărul meu la {{brand}}: {{code}}. Nu trimiteți niciodată pentru altcineva.",
  ru: "Подтверждаю мой номер для {{brand}}: {{code}}. Не отправляйте за другого человека.",
  sv: "Bekräfta mitt nummer hos {{brand}}: {{code}}. Skicka aldrig detta åt någon annan.",
  th: "ยืนยันหมายเลขของฉันกับ {{brand}}: {{code}} อย่าส่งแทนผู้อื่น",
  tr: "{{brand}} için numaramı doğrula: {{code}}. Bunu asla başkası için göndermeyin.",
  uk: "Підтверджую мій номер для {{brand}}: {{code}}. Не надсилайте за іншу людину.",
  vi: "Xác minh số của tôi tại {{brand}}: {{code}}. Không gửi tin này thay người khác.",
  zh: "验证我在{{brand}}的号码：{{code}}。切勿替他人发送。"
}
