SELECT (CASE WHEN "Horsepower" >= 150 THEN 'high' WHEN "Horsepower" IS NOT NULL THEN 'low' END) AS "hp_class_769b0a0e",
       COUNT(*) AS "count_39b1ddf4"
FROM "cars"
GROUP BY (CASE WHEN "Horsepower" >= 150 THEN 'high' WHEN "Horsepower" IS NOT NULL THEN 'low' END)
ORDER BY "hp_class_769b0a0e" DESC NULLS FIRST
LIMIT 50000;
-- []
