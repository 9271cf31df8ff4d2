SELECT (CASE WHEN "Horsepower" >= 150 THEN 'high' WHEN "Horsepower" IS NOT NULL THEN 'low' END) AS "hp_class",
       COUNT(*) AS "count"
FROM "cars"
GROUP BY (CASE WHEN "Horsepower" >= 150 THEN 'high' WHEN "Horsepower" IS NOT NULL THEN 'low' END)
ORDER BY "hp_class" DESC NULLS FIRST
LIMIT 50000;
-- []
